// @ts-check
// Adds up a class's check-ups from the files that students hand in. The files are read in the
// teacher's browser and are not sent anywhere. Their contents are checked and shown as text.

/** @typedef {import("./cards.js").Grade} Grade */
/** @typedef {import("./plan.js").Item} Item */
/** @typedef {{id: string, grade: Grade, wrong: string[]}} Answer */
/** @typedef {{part: string, number: number, name: string, answers: Answer[]}} Sheet one student's check-up */

(() => {
  const LARGEST = 100_000; // bytes
  const LONGEST = 2000; // characters of a choice
  const MOST = 12; // answers
  const all = /** @type {any} */ (globalThis);
  /** @type {typeof import("../../lessons/kit/figures/kit.js")} */
  const { h, setText } = all.livingFigures.use("figures-kit");
  const { parts: known, items, load, limits } = all.reviewItems;
  /** @type {Map<string, import("./items.js").Part>} */
  const parts = new Map(
    known.map((/** @type {import("./items.js").Part} */ part) => [part.slug, part]),
  );
  const place = /** @type {HTMLElement} */ (document.querySelector(".tl-class-checkups"));

  /** @param {any} answer */
  const isAnswer = (answer) =>
    items.has(answer?.id) &&
    ["good", "hard", "again"].includes(answer.grade) &&
    Array.isArray(answer.wrong) &&
    answer.wrong.length <= MOST &&
    answer.wrong.every((/** @type {any} */ x) => typeof x === "string" && x.length <= LONGEST);

  /** Return why a file cannot be added; "" if it can. @param {any} data */
  function fault(data) {
    if (data?.kind !== "check-up" || data.format !== 1) return "it is not a check-up of this book";
    if (!parts.has(data.part)) return "it names a part that this edition does not have";
    if (!(Number.isInteger(data.number) && data.number >= 1 && data.number <= limits.numbers))
      return `its number is not from 1 to ${limits.numbers}`;
    if (typeof data.name !== "string" || !data.name.trim() || data.name.length > limits.letters)
      return `its name is missing or longer than ${limits.letters} letters`;
    const isWhole =
      Array.isArray(data.answers) && data.answers.length <= MOST && data.answers.some(isAnswer);
    return isWhole ? "" : "its answers are damaged, or of another edition";
  }

  /** @param {File} file @returns {Promise<{sheet?: Sheet, fault: string}>} */
  async function read(file) {
    if (file.size > LARGEST) return { fault: "it is larger than 100 KB" };
    try {
      const sheet = JSON.parse(await file.text());
      return { sheet, fault: fault(sheet) };
    } catch {
      return { fault: "it is not JSON" };
    }
  }

  /** @param {string} caption @param {string[]} heads @param {string[][]} rows */
  function table(caption, heads, rows) {
    const head = h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)));
    const lines = rows.map(([first, ...rest]) =>
      h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((text) => h("td", {}, text))),
    );
    const parts = [h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...lines)];
    return h(
      "div",
      { class: "pst-scrollable-table-container" },
      h("table", { class: "table" }, ...parts),
    );
  }

  /** Return the most frequent wrong choice with its count: "the mask (9)". @param {Answer[]} answers */
  function mostWrong(answers) {
    const counts = new Map();
    for (const text of answers.flatMap(({ wrong }) => wrong.slice(0, 1)))
      counts.set(text, (counts.get(text) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    return most ? `${most[0]} (${most[1]})` : "";
  }

  /** Return the two tables of a check-up, summed over the students. @param {Sheet[]} sheets */
  function summed(sheets) {
    const [{ part, number }] = sheets;
    const answers = sheets.flatMap((sheet) => sheet.answers);
    const asked = [...new Set(answers.map(({ id }) => id))].map((id) => {
      const own = answers.filter((answer) => answer.id === id);
      const right = own.filter(({ grade }) => grade === "good").length;
      return { item: /** @type {Item} */ (items.get(id)), own, right };
    });
    asked.sort((a, b) => a.right / a.own.length - b.right / b.own.length);
    const questions = asked.map(({ item, own, right }) => [
      item.state?.prompt ?? `Drill: ${item.see[0].text}`,
      `${right} of ${own.length}`,
      mostWrong(own),
    ]);
    const students = sheets.map(({ name, answers: own }) => [
      name.trim(),
      `${own.filter(({ grade }) => grade === "good").length} of ${own.length}`,
    ]);
    students.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return [
      h("h3", {}, `Check-up ${number} of “${parts.get(part)?.name}”, ${sheets.length} handed in`),
      table(
        "By question, the hardest first",
        ["Question", "Right at once", "Most frequent wrong choices"],
        questions,
      ),
      table("By student", ["Name", "Right at once"], students),
    ];
  }

  const news = h("p", { role: "status" });
  const result = h("div");
  const picker = h("input", { type: "file", accept: ".json,application/json", multiple: true });
  picker.onchange = async () => {
    const files = [...(picker.files ?? [])];
    const found = await Promise.all(files.map(read));
    const bad = files.flatMap(({ name }, i) =>
      found[i].fault ? [`${name} was left out: ${found[i].fault}.`] : [],
    );
    const good = found.flatMap(({ sheet, fault }, i) => {
      if (!sheet || fault) return [];
      const answers = sheet.answers.filter(isAnswer);
      const lost = sheet.answers.length - answers.length;
      if (lost)
        bad.push(
          `Of ${files[i].name}, ${lost} of ${sheet.answers.length} answers were left out: ` +
            "they are damaged, or of another edition.",
        );
      return [{ ...sheet, answers }];
    });
    await load(good.flatMap(({ part }) => parts.get(part)?.chapters ?? []));
    const groups = Map.groupBy(good, ({ part, number }) => `${part} ${number}`);
    result.replaceChildren(...[...groups.values()].flatMap(summed));
    setText(news, [`Added up: ${good.length} of ${files.length} files.`, ...bad].join(" "));
  };
  place.replaceChildren(
    h("p", {}, h("label", {}, "Files that students saved: ", picker)),
    news,
    result,
  );
  place.hidden = false;
})();
