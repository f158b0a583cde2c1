// A filter above the table of all measures. Without JavaScript the table is simply all there.
(function () {
  "use strict";
  const KINDS = ["hard", "rough", "fuzzy", "possibilistic", "evidential"];

  function column(table, name) {
    const heads = Array.from(table.querySelectorAll("thead th"));
    return heads.findIndex(function (head) { return head.textContent.trim() === name; });
  }

  function choice(label, options) {
    const box = document.createElement("label");
    const select = document.createElement("select");
    options.forEach(function (text) { select.add(new Option(text, text)); });
    box.append(label + " ", select);
    return [box, select];
  }

  function tick(label) {
    const box = document.createElement("label");
    const input = document.createElement("input");
    input.type = "checkbox";
    box.append(input, " " + label);
    return [box, input];
  }

  function filter(table) {
    const at = {};
    ["kinds", "sense", "at chance", "metric", "time"].forEach(function (name) {
      at[name] = column(table, name);
    });
    const any = ["any"].concat(KINDS, "cover");
    const [boxA, a] = choice("one side", any);
    const [boxB, b] = choice("other side", any);
    const [boxSense, sense] = choice(
      "sense", ["any", "agreement", "dissimilarity", "uncertainty"]);
    const [boxChance, chance] = tick("0 at chance");
    const [boxMetric, metric] = tick("metric");
    const [boxLinear, linear] = tick("time linear in n");
    const words = document.createElement("input");
    words.type = "search";
    words.placeholder = "words";
    words.setAttribute("aria-label", "words in the name or meaning");
    const count = document.createElement("span");
    count.className = "guide-count";
    count.setAttribute("aria-live", "polite");

    function show() {
      let shown = 0;
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = Array.from(table.querySelectorAll("tbody tr"));
      rows.forEach(function (row) {
        const cell = function (name) { return row.cells[at[name]].textContent.trim(); };
        const kinds = cell("kinds") === "all" ? KINDS : cell("kinds").split(", ");
        const sides = [a.value, b.value].filter(function (k) { return k !== "any"; });
        const single = cell("sense") === "uncertainty";
        const ok = sides.every(function (k) { return kinds.includes(k); }) &&
          (sense.value === "any" || cell("sense") === sense.value) &&
          !(single && b.value !== "any") &&
          (!chance.checked || cell("at chance").startsWith("0")) &&
          (!metric.checked || cell("metric") !== "") &&
          (!linear.checked || cell("time") === "" || (cell("time").startsWith("O(n") &&
            !/n\^|exponential/.test(cell("time").split(";")[0]))) &&
          wanted.every(function (w) { return row.textContent.toLowerCase().includes(w); });
        row.hidden = !ok;
        shown += ok ? 1 : 0;
      });
      count.textContent = shown + " of " + rows.length + " measures";
    }

    const form = document.createElement("form");
    form.className = "guide-filter";
    form.append(boxA, boxB, boxSense, boxChance, boxMetric, boxLinear, words, count);
    form.addEventListener("input", show);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    const place = table.closest(".pst-scrollable-table-container") || table;
    place.before(form);
    show();
  }

  // One selector of kinds for all tables below a heading.
  function selector(section) {
    const any = ["any"].concat(KINDS);
    const [boxA, a] = choice("my clusterings are", any);
    const [boxB, b] = choice("and", any);
    const tables = Array.from(section.querySelectorAll("table"));

    function suits(text) {
      const [names, condition] = text.split(";");
      const kinds = names.trim() === "all" ? KINDS : names.split(",").map((k) => k.trim());
      const sides = [a.value, b.value].filter(function (k) { return k !== "any"; });
      const plain = sides.some(function (k) { return k === "hard" || k === "rough"; });
      return sides.every(function (k) { return kinds.includes(k); }) &&
        (!condition || sides.length < 2 || plain);
    }

    function show() {
      tables.forEach(function (table) {
        const at = column(table, "kinds");
        let shown = 0;
        Array.from(table.querySelectorAll("tbody tr")).forEach(function (row) {
          row.hidden = !suits(row.cells[at].textContent);
          shown += row.hidden ? 0 : 1;
        });
        const part = table.closest("section");
        if (part && part !== section) { part.hidden = shown === 0; }
      });
    }

    const form = document.createElement("form");
    form.className = "guide-filter";
    form.append(boxA, boxB);
    form.addEventListener("input", show);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    section.querySelector("h2").after(form);
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("#overview table").forEach(filter);
    const questions = document.getElementById("by-question");
    if (questions) { selector(questions); }
  });
})();

// A button that copies the code of a block: no prompts, no outputs.
(function () {
  "use strict";

  function code(text) {
    const lines = text.split("\n");
    if (lines.some(function (line) { return /^>>> /.test(line); })) {
      return lines.filter(function (line) { return /^(>>>|\.\.\.)( |$)/.test(line); })
        .map(function (line) { return line.slice(4); }).join("\n");
    }
    return lines.filter(function (line) { return !/^#>/.test(line); }).join("\n").trim();
  }

  function put(text) {
    if (navigator.clipboard && window.isSecureContext) {
      return navigator.clipboard.writeText(text);
    }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".bd-article div.highlight").forEach(function (block) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "guide-copy";
      button.textContent = "copy";
      button.title = "copy the code, without prompts and outputs";
      button.addEventListener("click", function () {
        put(code(block.querySelector("pre").textContent)).then(function () {
          button.textContent = "copied";
          setTimeout(function () { button.textContent = "copy"; }, 1500);
        });
      });
      block.append(button);
    });
  });
})();

// On a phone (guide.css) the rows of wide tables of words are cards, and long texts in other tables keep a
// readable width.
(function () {
  "use strict";
  const LONG_TEXT = 20;

  function wordy(cell) { return cell.textContent.trim().length > LONG_TEXT; }

  function narrow(table) {
    const heads = Array.from(table.querySelectorAll("thead th"));
    const rows = Array.from(table.querySelectorAll("tbody tr"));
    rows.forEach(function (row) {
      Array.from(row.cells).forEach(function (cell, i) {
        cell.classList.toggle("guide-long", wordy(cell));
        cell.classList.toggle("guide-empty", !cell.textContent.trim());
        if (heads[i]) { cell.dataset.label = heads[i].textContent.trim(); }
      });
    });
    const long = heads.filter(function (_, i) {
      const many = rows.filter(function (row) { return row.cells[i] && wordy(row.cells[i]); });
      return i > 0 && many.length * 4 > rows.length;
    });
    table.classList.toggle("guide-cards", heads.length > 3 && long.length > 0);
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".bd-article table.table:not(.autosummary, .claims *)").forEach(narrow);
  });
})();
