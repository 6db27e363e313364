// @ts-check
// Mounts the figures of a published page: no kernel, no network, no other library.
// Each figure's script calls livingFigures.define(name, module) with its AFM module.

(() => {
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
      on(event, f) { listeners.set(event, (listeners.get(event) ?? new Set()).add(f)); },
      /** @param {string} event @param {() => void} f */
      off(event, f) { listeners.get(event)?.delete(f); },
    };
  }

  /** @param {Element} host @param {{render: Function}} figure */
  function mount(host, figure) {
    const json = host.querySelector("script[type='application/json']")?.textContent ?? "{}";
    const live = document.createElement("div");
    live.className = "lf-live";
    figure.render({ model: pageModel(JSON.parse(json)), el: live });
    host.append(live);
    host.classList.add("lf-mounted");
  }

  Object.assign(window, {
    livingFigures: {
      /** @param {string} name @param {{render: Function}} figure */
      define(name, figure) {
        for (const host of document.querySelectorAll(`[data-figure="${name}"]`)) mount(host, figure);
      },
    },
  });
})();
