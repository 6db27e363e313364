// @ts-check
// Mounts the figures of a published page: no kernel, no network, no other library.
// Each figure's script calls livingFigures.define(name, module) with its AFM module. What figures
// share has scripts of its own, which come first and call livingFigures.share(name, exports).
//
// A figure's assets are scripts in assets/, beside this one: a page that was opened from a file may
// not fetch. Each calls livingFigures.bring(key, its bytes as gzip in base64). They load when the
// figure comes near the screen, once for all figures that share them; the figure then finds them
// in model.get("assets"), each a DataView by its name. Until a figure is live its picture stays,
// under a line that says what is awaited or what failed.

(() => {
  /** @typedef {(host: Element, model: any, live: HTMLElement) => void} KeepAddress kit/address.js */
  /** @typedef {{render: Function, address?: KeepAddress}} Figure */
  /** @typedef {{name: string, key: string, bytes: number}} Asset its bytes on the way: as gzip */

  const HERE = /** @type {HTMLScriptElement} */ (document.currentScript).src;

  /** What scripts of assets have brought and nobody has unpacked yet. @type {Map<string, string>} */
  const brought = new Map();
  /** The loads of this page by key, under way or done. @type {Map<string, Promise<DataView>>} */
  const loads = new Map();

  /** What the scripts of kits export. @type {Map<string, object>} */
  const shared = new Map();

  /** A model as AFM expects it, over the JSON that the page carries. @param {Record<string, any>} state */
  function pageModel(state) {
    /** @type {Map<string, Set<() => void>>} */
    const listeners = new Map();
    return {
      /** @param {string} name */
      get: (name) => state[name],
      /** @param {string} name @param {any} value */
      set(name, value) {
        state[name] = value;
        listeners.get(`change:${name}`)?.forEach((f) => f());
      },
      save_changes() {},
      /** @param {string} event @param {() => void} f */
      on(event, f) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(f));
      },
      /** @param {string} event @param {() => void} f */
      off(event, f) {
        listeners.get(event)?.delete(f);
      },
    };
  }

  /** Run a script. @param {string} src @returns {Promise<unknown>} */
  function runScript(src) {
    return new Promise((resolve, reject) => {
      const onerror = () => reject(new Error(`${src} did not load`));
      document.head.append(
        Object.assign(document.createElement("script"), { src, onload: resolve, onerror }),
      );
    });
  }

  /** @param {string} base64 what holds the gzip @returns {Promise<DataView>} */
  async function unpack(base64) {
    const text = atob(base64);
    const packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) packed[i] = text.charCodeAt(i); // 20 × faster than from
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new DataView(await new Response(stream).arrayBuffer());
  }

  /** Load an asset from its script. @param {string} key */
  async function fromScript(key) {
    const src = new URL(`assets/${key}.js`, HERE).href;
    await runScript(src);
    try {
      return await unpack(brought.get(key) ?? "");
    } catch (cause) {
      throw new Error(`${src} is damaged`, { cause });
    } finally {
      brought.delete(key);
    }
  }

  /** The asset's bytes, loaded once; after a failure the next call tries again. @param {string} key */
  function load(key) {
    const known = loads.get(key);
    if (known) return known;
    const loading = fromScript(key).catch((error) => {
      loads.delete(key);
      throw error;
    });
    loads.set(key, loading);
    return loading;
  }

  /** All assets of a figure, by name. @param {Asset[]} assets */
  async function loadAll(assets) {
    const views = await Promise.all(assets.map(({ key }) => load(key)));
    return Object.fromEntries(assets.map(({ name }, i) => [name, views[i]]));
  }

  /** "the model and the words" @param {Asset[]} assets */
  const inWords = (assets) => assets.map(({ name }) => `the ${name}`).join(" and ");

  /** "0.3 MB", "40 KB" @param {Asset[]} assets */
  function size(assets) {
    const kilobytes = assets.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    return kilobytes < 100 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1000).toFixed(1)} MB`;
  }

  /**
   * The line over the picture of a figure that is not live yet. It stands there before it says
   * anything: what is read aloud are the changes of a line that is known. Its state stands at the
   * host, too: asked for by :has(), each new text of the figure would restyle all of it.
   * @param {HTMLElement} host
   */
  function notice(host) {
    const [box, line, button] = ["div", "div", "button"].map((tag) => document.createElement(tag));
    line.setAttribute("role", "status");
    button.textContent = "Try again";
    box.tabIndex = -1; // keeps the keyboard's place while the button is away
    box.append(line);
    host.prepend(box);
    /** @param {"quiet" | "loading" | "failed"} state @param {string} text */
    const say = (state, text) => {
      box.className = `tl-figure lf-notice lf-${state}`;
      host.dataset.notice = state;
      line.textContent = text;
    };
    say("quiet", "");
    return {
      /** @param {string} text */
      loading: (text) => say("loading", text),
      /** @param {string} text @param {() => void} again */
      failed(text, again) {
        say("failed", `${text} What you see is a still picture.`);
        box.append(button);
        if (document.activeElement === box) button.focus();
        button.onclick = () => {
          box.focus();
          button.remove();
          again();
        };
      },
      /** @param {HTMLElement} live */
      ready(live) {
        say("quiet", "The figure is ready.");
        if (document.activeElement !== box) return;
        live.tabIndex = -1;
        live.focus({ preventScroll: true });
      },
    };
  }

  /**
   * Make the figure live: at once, unless it waits for assets or its render is asynchronous.
   * @param {HTMLElement} host @param {Figure} figure @param {Asset[]} assets
   * @param {ReturnType<typeof notice>} [line] what says so; made when there is something to say
   */
  async function start(host, figure, assets, line) {
    const live = document.createElement("div");
    live.className = "lf-live";
    let failure = `Could not load ${inWords(assets)}.`;
    try {
      const json = host.querySelector("script[type='application/json']")?.textContent ?? "{}";
      const state = JSON.parse(json);
      if (assets.length) {
        line?.loading(`Loading ${inWords(assets)}, ${size(assets)} …`);
        state.assets = await loadAll(assets);
      }
      failure = "Could not start this figure.";
      const model = pageModel(state);
      const drawn = figure.render({ model, el: live });
      if (typeof drawn?.then === "function") {
        line ??= notice(host);
        line.loading("Starting the figure …");
        await drawn;
      }
      host.append(live);
      host.classList.add("lf-mounted");
      // Its room was kept, so the page has not grown.
      dispatchEvent(new Event("tl:look"));
      line?.ready(live);
      toMoment(host);
      figure.address?.(host, model, live);
    } catch (error) {
      console.error(error);
      const kept = line ?? notice(host);
      kept.failed(failure, () => start(host, figure, assets, kept));
    }
  }

  /**
   * Show the moment of a tour that the page's address names: #tour-mask_lab-3.
   * @param {Element} [ready] only if it is this figure
   */
  function toMoment(ready) {
    const [, name, moment] = location.hash.match(/^#tour-(\w+)-(\d+)$/) ?? [];
    const host = name && document.querySelector(`[data-tour][data-figure="${name}"]`);
    if (!host || (ready && ready !== host)) return;
    host.scrollIntoView(); // where it waits for assets, it comes back here when it is live
    const go = new CustomEvent("tl:moment", { detail: Number(moment) - 1 });
    host.querySelector(".lf-live")?.dispatchEvent(go);
  }

  /** Call f when the element is less than a screen away. @param {Element} element @param {() => void} f */
  function whenNear(element, f) {
    if (!("IntersectionObserver" in window)) return f();
    const watch = new IntersectionObserver(
      (seen) => {
        if (!seen.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        f();
      },
      { rootMargin: "100% 0px" },
    );
    watch.observe(element);
  }

  /** Call f when the browser has time; Safari does not say when. @param {() => void} f */
  function whenIdle(f) {
    if ("requestIdleCallback" in window) requestIdleCallback(f);
    else setTimeout(f, 200);
  }

  /**
   * Mount a figure when it comes near the screen. Without assets, it is mounted earlier if the
   * browser has time: print, the projector and the Tab key meet all figures of the page.
   * @param {HTMLElement} host @param {Figure} figure
   */
  function mount(host, figure) {
    /** @type {Asset[]} */
    const assets = JSON.parse(host.dataset.assets ?? "[]");
    const line = assets.length ? notice(host) : undefined;
    let begun = false;
    const begin = () => {
      if (!begun) start(host, figure, assets, line);
      begun = true;
    };
    whenNear(host, begin);
    if (!line) whenIdle(begin);
  }

  addEventListener("hashchange", () => toMoment());
  document.addEventListener("click", ({ target }) => {
    const link = /** @type {Element} */ (target).closest?.("a[href^='#tour-']");
    if (link?.getAttribute("href") === location.hash) toMoment(); // asked for again
  });

  /** The figures whose scripts have run. @type {Map<string, Figure>} */
  const known = new Map();

  Object.assign(window, {
    livingFigures: {
      /** @param {string} name @param {Figure} figure */
      define(name, figure) {
        known.set(name, figure);
        for (const host of document.querySelectorAll(`[data-figure="${name}"]`))
          mount(/** @type {HTMLElement} */ (host), figure);
      },
      /** Make a figure live that was put into the page later. @param {HTMLElement} host */
      async show(host) {
        const name = `${host.dataset.figure}`;
        const figure = known.get(name);
        if (figure) mount(host, figure);
        else await runScript(new URL(`${name}.js`, HERE).href);
      },
      /** @param {string} name @param {object} exports */
      share: (name, exports) => shared.set(name, exports),
      /** @param {string} name */
      use: (name) => shared.get(name),
      /** @param {string} key @param {string} packed */
      bring: (key, packed) => brought.set(key, packed),
    },
  });
})();
