// The playground: what is typed goes to the compiler, which runs as WebAssembly in a worker, and what it says is shown. There is
// no framework, and nothing comes from a network; a classic script, since modules are not loaded from file://.
"use strict";

// ---- The compiler ------------------------------------------------------------------------------------------------------------

/** Runs in the worker: one instance of the module, which a panic ends and the next question starts anew. */
function worker() {
  let compiled = null, module = null, instance = null, answers = 0;
  const start = () => {
    // The compiler imports nothing that it calls; what crates in it declare for other hosts stands empty.
    const imports = {};
    for (const one of WebAssembly.Module.imports(module)) {
      imports[one.module] ??= {};
      imports[one.module][one.name] = () => { throw new Error("the compiler called " + one.name); };
    }
    instance = new WebAssembly.Instance(module, imports).exports;
    answers = 0;
  };
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(instance.memory.buffer, at, length));
  const ask = (question) => {
    // Places in programs are remembered for as long as an instance lives.
    if (!instance || ++answers > 400 || instance.memory.buffer.byteLength > 4e8) start();
    try {
      const bytes = new TextEncoder().encode(question);
      // Making room may make the memory another one, so that is asked for behind it.
      const room = instance.looplets_room(bytes.length);
      new Uint8Array(instance.memory.buffer, room, bytes.length).set(bytes);
      const length = instance.looplets_answer();
      return { answer: text(instance.looplets_text(), length) };
    } catch (error) {
      let said = String(error);
      try {
        said = text(instance.looplets_panic(), instance.looplets_panic_length()) || said;
      } catch (_) { /* the memory is gone, too */ }
      instance = null;
      return { panic: said };
    }
  };
  self.onmessage = async ({ data }) => {
    if (data.bytes) {
      compiled = WebAssembly.compile(data.bytes).then((made) => { module = made; });
      return;
    }
    // A question may come before the module is there.
    try {
      await compiled;
      self.postMessage({ id: data.id, ...ask(data.question) });
    } catch (error) {
      self.postMessage({ id: data.id, panic: String(error) });
    }
  };
}

/** The worker, started anew if it takes too long. */
class Compiler {
  constructor(bytes) {
    this.bytes = bytes;
    this.waiting = new Map();
    this.count = 0;
    this.begin();
  }
  begin() {
    const url = URL.createObjectURL(new Blob([`(${worker})()`], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      waiting?.(data);
    };
    this.worker.postMessage({ bytes: this.bytes });
  }
  /** The answer, or `{ panic }`: the page lives on, whatever becomes of the compiler. */
  ask(question, limit = 30000) {
    const id = ++this.count;
    return new Promise((done) => {
      const late = setTimeout(() => {
        this.worker.terminate();
        const all = [...this.waiting.values()];
        this.waiting.clear();
        this.begin();
        all.forEach((waiting) => waiting({ panic: `this took longer than ${limit / 1000} seconds, and was stopped` }));
      }, limit);
      this.waiting.set(id, (data) => {
        clearTimeout(late);
        done(data.panic === undefined ? JSON.parse(data.answer) : data);
      });
      this.worker.postMessage({ id, question: JSON.stringify(question) });
    });
  }
}

async function unpacked() {
  const packed = Uint8Array.from(atob(LOOPLETS_WASM), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// ---- What is shown -----------------------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);

/** An element with attributes and children; text is text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element[key] = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat());
  return element;
}

const page = { compiler: null, start: null, inputs: {}, told: null, stage: "code", asked: 0, tab: "result" };

const WORDS = new Set(("as break const else enum false fn for if impl in let loop match mod mut parallel pass pub ref remove return self "
  + "static struct super true type unsafe use where while fill rules operator level finch read write walk gallop").split(" "));
const TOKEN = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*")|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

/** Pieces of Rust, each with the class of its colour. */
function pieces(text) {
  const out = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) out.push([text.slice(at, match.index), ""]);
    const word = match[0];
    const colour = match[1] ? "c" : match[2] || match[3] ? "n" : WORDS.has(word) ? "k" : /^[A-Z]/.test(word) ? "t" : "";
    out.push([word, colour]);
    at = match.index + word.length;
  }
  if (at < text.length) out.push([text.slice(at), ""]);
  return out;
}

function coloured(text) {
  return pieces(text).map(([piece, colour]) => (colour ? make("span", { class: colour }, piece) : piece));
}

/** Where `{ line, column }` is in `text`: columns count characters, and some of those are two units of a string. */
function offset(text, line, column) {
  let at = 0;
  for (let k = 1; k < line; k++) at = text.indexOf("\n", at) + 1;
  for (let k = 0; k < column && at < text.length; k++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

function range(text, at) {
  return [offset(text, at.line, at.column), offset(text, at.endLine, at.endColumn)];
}

/** The program once more behind the editor, with colours and with waves under what is wrong. */
function drawMarks() {
  const text = $("program").value;
  const marked = [];
  for (const [kind, one] of said()) {
    if (one.at && page.told.source === text) marked.push([...range(text, one.at), kind]);
  }
  marked.sort((a, b) => a[0] - b[0]);
  const out = [];
  let at = 0;
  for (const [from, to, kind] of marked) {
    if (from < at) continue;
    out.push(...coloured(text.slice(at, from)), make("mark", { class: kind }, ...coloured(text.slice(from, to))));
    at = to;
  }
  out.push(...coloured(text.slice(at)), "\n");
  $("marks").replaceChildren(...out);
  follow();
}

function follow() {
  $("marks").scrollTop = $("program").scrollTop;
  $("marks").scrollLeft = $("program").scrollLeft;
}

/** Everything that is said at a place: errors, warnings, and why there is no result. */
function said() {
  const told = page.told;
  if (!told) return [];
  const out = [];
  for (const one of told.errors ?? []) out.push(["error", one]);
  for (const one of told.warnings ?? []) out.push(["warning", one]);
  if (told.results?.error) out.push(["error", { message: told.results.error, at: told.results.at }]);
  return out;
}

function drawMessages() {
  const text = $("program").value;
  const items = said().map(([kind, { message, at }]) => {
    const go = at && make("button", {
      type: "button",
      onclick: () => {
        $("program").focus();
        $("program").setSelectionRange(...range(text, at));
      },
    }, `line ${at.line}, column ${at.column + 1}`);
    return make("li", { class: kind }, ...(go ? [go] : []), `${kind}: ${message}`);
  });
  $("messages").replaceChildren(...(items.length ? [make("ul", {}, items)] : []));
}

function drawState(text, bad = false) {
  $("state").textContent = text;
  $("state").className = bad ? "bad" : "";
}

// ---- Formats -----------------------------------------------------------------------------------------------------------------

const FLOATS = ["Zero", "One", "Inf", "NegInf", "NaN"];
const SHORT = [
  [["Dense"], "DenseVec", true], [["Dense", "Dense"], "DenseMat", true], [["SparseList"], "SparseVec", false],
  [["Dense", "SparseList"], "Csr", false], [["SparseList", "SparseList"], "Dcsr", false],
];

/** The type of a tensor as one writes it. */
function written({ levels, leaf, value, fill }) {
  const names = levels.map((level) => level.name);
  const plain = levels.every((level) => level.more.length === 0);
  if (leaf === "Pattern" && plain && names.join() === "Dense,SparseList") return "Graph";
  const short = leaf === "Element" && plain && SHORT.find(([all]) => all.join() === names.join());
  if (short && fill === "Zero") return `${short[1]}<${value}>`;
  if (short && short[2]) return `${short[1]}<${value}, ${fill}>`;
  const inner = leaf === "Pattern" ? "Pattern" : fill === "Zero" ? `Element<${value}>` : `Element<${value}, ${fill}>`;
  const outer = levels.reduceRight((below, { name, more }) => `${name}<${[below, ...more].join(", ")}>`, inner);
  return `Tensor<${outer}>`;
}

function fillsOf(value, role) {
  const open = role === "output" ? ["_"] : [];
  if (value === "bool") return ["Zero", "True", ...open];
  if (value.startsWith("f")) return [...FLOATS, ...open];
  const most = { u32: ["MaxU32"], u64: ["MaxU64"], i64: ["MaxI64"] }[value] ?? [];
  return ["Zero", "One", ...most, ...open];
}

function chooser(label, name, options, chosen, change) {
  const all = options.some((o) => o.name === chosen) ? options : [{ name: chosen, docs: "" }, ...options];
  const select = make("select", { "aria-label": name, onchange: () => change(select.value) },
    all.map((o) => make("option", { value: o.name, title: o.docs, selected: o.name === chosen }, o.text ?? o.name)));
  return make("label", {}, label, select);
}

function drawFormats() {
  const told = page.told;
  if (!told?.ok) {
    $("formats").classList.add("stale");
    $("formats").querySelectorAll("select").forEach((s) => { s.disabled = true; });
    return;
  }
  $("formats").classList.remove("stale");
  const focused = document.activeElement?.getAttribute("aria-label");
  const known = [...told.own, ...page.start.levels];
  const boxes = told.tensors.map((tensor) => {
    const makes = tensor.role !== "input";
    const levels = known.filter((level) => !makes || level.written);
    const change = (changed) => choose(tensor, { ...tensor, ...changed });
    const choices = tensor.levels.map((level, k) =>
      chooser(`dimension ${k}`, `Format of dimension ${k} of ${tensor.name}`, levels, level.name, (name) =>
        change({ levels: tensor.levels.map((old, n) => (n === k ? { name, more: [] } : old)) })));
    const values = [...page.start.values.map((name) => ({ name })), { name: "Pattern", text: "no values" }];
    choices.push(chooser("values", `Values of ${tensor.name}`, values, tensor.leaf === "Pattern" ? "Pattern" : tensor.value, (name) => {
      if (name === "Pattern") return change({ leaf: "Pattern" });
      const fits = fillsOf(name, tensor.role).includes(tensor.fill);
      change({ leaf: "Element", value: name, fill: fits ? tensor.fill : "Zero" });
    }));
    if (tensor.leaf !== "Pattern") {
      const fills = fillsOf(tensor.value, tensor.role).map((name) => ({ name, text: name === "_" ? "_ (found)" : name }));
      const open = /,\s*_\s*>/.test(tensor.type) && tensor.role === "output";
      choices.push(chooser("not stored", `Fill of ${tensor.name}`, fills, open ? "_" : tensor.fill, (fill) => change({ fill })));
    }
    const title = make("div", { class: "name" }, tensor.name, " ", make("small", {}, tensor.role));
    return make("div", { class: "tensor" }, title, make("div", { class: "choices" }, choices));
  });
  $("formats").replaceChildren(...boxes);
  if (focused) document.querySelector(`#formats [aria-label="${CSS.escape(focused)}"]`)?.focus();
}

/** Puts another type where that of `tensor` stands, so that it can be undone as what is typed. */
function choose(tensor, changed) {
  const area = $("program");
  const [from, to] = range(area.value, tensor.at);
  if (page.told.source !== area.value) return;
  const focused = document.activeElement;
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, written(changed))) area.setRangeText(written(changed), from, to, "end");
  focused?.focus();
  ask();
}

// ---- Tensors -----------------------------------------------------------------------------------------------------------------

function shapeOf(value, rank) {
  const shape = [];
  for (let one = value, k = 0; k < rank; k++) {
    shape.push(Array.isArray(one) ? one.length : 0);
    one = Array.isArray(one) ? one[0] : undefined;
  }
  return shape;
}

/** Small numbers, some of which are not stored. */
function guess(shape, count = { n: 0 }) {
  if (shape.length === 0) return ++count.n % 3 === 1 ? (count.n % 7) + 1 : null;
  return Array.from({ length: shape[0] }, () => guess(shape.slice(1), count));
}

function resized(value, shape) {
  if (shape.length === 0) return value ?? null;
  return Array.from({ length: shape[0] }, (_, k) => resized(Array.isArray(value) ? value[k] : null, shape.slice(1)));
}

const shownNumber = (v) => (v === null || v === undefined ? "" : v === true ? "1" : v === false ? "0" : String(v));
const typedNumber = (text) => (text.trim() === "" ? null : text.trim());

const FILL_TEXT = { Zero: "0", One: "1", Inf: "inf", NegInf: "-inf", NaN: "nan", True: "true", False: "" };

function cells(tensor, shape, value) {
  const rows = shape.length === 1 ? [value] : value;
  const fill = FILL_TEXT[tensor.fill] ?? tensor.fill;
  const head = make("tr", {}, make("th"), (rows[0] ?? []).map((_, j) => make("th", { scope: "col" }, String(j))));
  const body = rows.map((row, i) => make("tr", {},
    make("th", { scope: "row" }, shape.length === 1 ? "" : String(i)),
    row.map((v, j) => {
      const name = shape.length === 1 ? `${tensor.name}[${j}]` : `${tensor.name}[${i}, ${j}]`;
      const input = make("input", {
        value: shownNumber(v), placeholder: fill, "aria-label": name, inputmode: "text", autocomplete: "off", autocapitalize: "off",
        oninput: () => { row[j] = typedNumber(input.value); later(); },
        onkeydown: (event) => move(event, input),
      });
      return make("td", {}, input);
    })));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, body)));
}

/** Arrow keys go from cell to cell. */
function move(event, input) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step) return;
  const whole = input.selectionStart === 0 && input.selectionEnd === input.value.length;
  if (step[1] < 0 && input.selectionStart > 0 && !whole) return;
  if (step[1] > 0 && input.selectionEnd < input.value.length && !whole) return;
  const row = input.closest("tr"), rows = [...row.closest("tbody").rows];
  const at = [...row.querySelectorAll("input")].indexOf(input);
  const next = rows[rows.indexOf(row) + step[0]]?.querySelectorAll("input")[at + step[1]];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}

function drawInputs() {
  const told = page.told;
  if (!told?.ok) return;
  const key = JSON.stringify([told.tensors.filter((t) => t.given).map((t) => [t.name, t.levels.length, t.fill]), told.scalars]);
  if (key === page.drawn) return;
  page.drawn = key;
  const boxes = told.tensors.filter((t) => t.given).map((tensor) => {
    const rank = tensor.levels.length;
    const box = make("div", { class: "tensor" });
    const draw = () => {
      const value = page.inputs[tensor.name], shape = shapeOf(value, rank);
      const title = make("div", { class: "name" }, tensor.name, " ", make("small", {}, shape.join(" by ")));
      if (rank > 2) {
        const area = make("textarea", {
          class: "json", "aria-label": `Elements of ${tensor.name}, arrays in arrays`, spellcheck: "false",
          oninput: () => {
            try {
              page.inputs[tensor.name] = JSON.parse(area.value);
              area.removeAttribute("aria-invalid");
              later();
            } catch (_) { area.setAttribute("aria-invalid", "true"); }
          },
        });
        area.value = JSON.stringify(value);
        return box.replaceChildren(title, area);
      }
      const names = rank === 1 ? ["size"] : ["rows", "columns"];
      const sizes = make("div", { class: "sizes" }, names.map((name, k) => {
        const input = make("input", {
          type: "number", min: 0, max: 40, value: shape[k],
          onchange: () => {
            const size = Math.max(0, Math.min(40, Number(input.value) || 0));
            page.inputs[tensor.name] = resized(value, shape.map((old, n) => (n === k ? size : old)));
            draw();
            later();
          },
        });
        return make("label", {}, `${name} `, input);
      }));
      box.replaceChildren(title, cells(tensor, shape, value), sizes);
    };
    draw();
    return box;
  });
  for (const { name, type } of told.scalars) {
    const input = make("input", {
      class: "number", value: shownNumber(page.inputs[name]), "aria-label": `Value of ${name}`, autocomplete: "off",
      oninput: () => { page.inputs[name] = typedNumber(input.value) ?? 0; later(); },
    });
    boxes.push(make("div", { class: "tensor" }, make("div", { class: "name" }, name, " ", make("small", {}, type)), input));
  }
  $("inputs").replaceChildren(...boxes);
}

/** Gives values to what has none, all of one size so that they fit each other. */
function complete() {
  let changed = false;
  for (const tensor of page.told.tensors.filter((t) => t.given)) {
    const rank = tensor.levels.length, value = page.inputs[tensor.name];
    let depth = 0;
    for (let one = value; Array.isArray(one); one = one[0]) depth++;
    const empty = Array.isArray(value) && shapeOf(value, rank).includes(0);
    if (depth !== rank && !empty) {
      page.inputs[tensor.name] = guess(Array(rank).fill(4));
      page.drawn = null;
      changed = true;
    }
  }
  for (const { name, type } of page.told.scalars) {
    if (page.inputs[name] === undefined || Array.isArray(page.inputs[name])) {
      page.inputs[name] = type === "bool" ? true : 1;
      page.drawn = null;
      changed = true;
    }
  }
  return changed;
}

// ---- Results, loops, looplets, costs -----------------------------------------------------------------------------------------

function grid({ name, shape, data, stored }) {
  const title = make("h3", {}, make("span", { class: "mono" }, name), ` ${shape.join(" by ")}`);
  if (data.length === 0) return [title, make("p", { class: "hint" }, "no elements")];
  const columns = shape[shape.length - 1] ?? 1;
  const rows = [];
  for (let at = 0; at < data.length; at += columns) {
    const where = [];
    for (let rest = at / columns, k = shape.length - 2; k >= 0; k--) {
      where.unshift(rest % shape[k]);
      rest = Math.floor(rest / shape[k]);
    }
    rows.push(make("tr", {}, make("th", { scope: "row" }, where.join(", ")),
      data.slice(at, at + columns).map((v, k) => make("td", {
        class: stored[at + k] ? "stored" : "unstored", title: stored[at + k] ? "stored" : "not stored",
      }, v))));
  }
  const head = make("tr", {}, make("th"), data.slice(0, columns).map((_, j) => make("th", { scope: "col" }, String(j))));
  return [title, make("div", { class: "scroll" }, make("table", { class: "values" }, make("thead", {}, head), make("tbody", {}, rows)))];
}

function drawResult() {
  const { results } = page.told;
  if (results.error) {
    $("result").replaceChildren(make("p", { class: "refused" }, results.error));
    return;
  }
  const shown = results.values.flatMap((one) => ("scalar" in one
    ? [make("h3", {}, make("span", { class: "mono" }, one.name)), make("p", { class: "mono" }, one.scalar)]
    : grid(one)));
  shown.push(make("p", { class: "hint" }, "Computed by the meaning of the program, element by element, and not by the loops: sums of floats "
    + "may differ from a kernel's in their last digits, since those may take terms in another order."));
  $("result").replaceChildren(...shown);
}

const STAGES = {
  code: "The whole kernel, optimised, as Rust that people read.",
  lowered: "The loops before anything is optimised.",
  looplets: "The passes as they ran, region by region.",
  cin: "The program with its names and extents resolved.",
  rules: "The rules that operators bring in.",
  tokens: "What rustc gets, with all paths and checks.",
};

function drawLoops() {
  const order = Object.keys(STAGES);
  const stages = [...page.told.stages].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  if (!stages.some((s) => s.name === page.stage)) page.stage = "code";
  $("stage").replaceChildren(...stages.map(({ name }) => make("option", { value: name, selected: name === page.stage }, name)));
  $("stage-note").textContent = STAGES[page.stage] ?? "";
  const text = stages.find((s) => s.name === page.stage)?.text ?? "";
  $("code").replaceChildren(...coloured(text));
}

function drawCosts() {
  const { ways, others } = page.told.ways;
  const shown = [make("p", { class: "hint" }, "How often each loop runs, in sizes, len(i), and stored entries, stored(a). Where loops are left out, a "
    + "kernel has up to three ways, and each call takes the one that costs least.")];
  ways.forEach((way, n) => {
    const loops = way.loops.map(({ depth, index, steps }) =>
      make("li", { style: `padding-left: ${depth * 1.4}rem` }, `for ${index}: ${steps} steps`));
    shown.push(make("div", { class: "way" },
      make("h3", {}, ways.length > 1 ? `way ${n + 1}` : "the way it runs"),
      way.chosen ? make("p", {}, way.chosen) : "",
      loops.length ? make("ul", {}, loops) : make("p", {}, "no loops"),
      way.time ? make("p", {}, `about ${way.time}`) : ""));
  });
  if (others) shown.push(make("p", {}, others));
  $("costs").replaceChildren(...shown);
}

/** A nest as boxes: phases stand side by side along the index, what repeats stands in a frame, and each part says where it ends. */
function boxes(nest) {
  const part = ({ stop, nest: inner }) => make("div", { class: "part" }, boxes(inner), make("span", { class: "stop" }, `..${stop}`));
  const box = (kind, head, body) => make("div", { class: `nest ${kind}` }, make("div", { class: "kind" }, head), body);
  switch (nest.kind) {
    case "run": return make("div", { class: nest.fill ? "element fill" : "element" }, nest.value);
    case "pipeline": case "spike": return box(nest.kind, nest.kind, make("div", { class: "parts" }, nest.parts.map(part)));
    case "switch": return box("switch", "switch", make("div", { class: "cases" }, nest.cases.map((one) =>
      make("div", { class: "case" }, make("span", { class: "cond" }, one.cond), boxes(one.nest)))));
    case "shift": case "lookup": return box(nest.kind, `${nest.kind}: ${nest.words.join(", ")}`, boxes(nest.body));
    case "": return make("div", { class: "defs" }, nest.words.map((word) => make("div", { class: "def" }, word)), boxes(nest.body));
    default: return box("repeat", `${nest.kind}: ${nest.state}`, part(nest.child));
  }
}

function drawLooplets() {
  const shown = [make("p", { class: "hint" }, "What each level of an operand unfurls to, for a fiber at position p. Boxes side by side are parts "
    + "along the index, up to where each ends; a double frame repeats, for each entry or run.")];
  for (const { access, level, dimension, index, protocol, nest } of page.told.nests) {
    const how = index ? `along ${index}, by ${protocol}` : `at a point, by ${protocol}`;
    const title = make("figcaption", {}, make("span", { class: "mono" }, access), ` dimension ${dimension}: `, make("b", {}, level), ` ${how}`);
    shown.push(make("figure", {}, title, make("div", { class: "scroll" }, boxes(nest))));
  }
  $("looplets").replaceChildren(...shown);
}

function draw() {
  const panels = ["result", "loops", "looplets", "costs"].map($);
  drawMarks();
  drawMessages();
  drawFormats();
  panels.forEach((p) => p.classList.toggle("stale", !page.told.ok));
  if (!page.told.ok) return;
  drawInputs();
  drawResult();
  drawLoops();
  drawLooplets();
  drawCosts();
}

// ---- What happens ------------------------------------------------------------------------------------------------------------

let timer = 0;
function later() {
  clearTimeout(timer);
  document.body.dataset.state = "working";
  timer = setTimeout(ask, 300);
}

async function ask() {
  clearTimeout(timer);
  const asked = ++page.asked;
  document.body.dataset.state = "working";
  drawState("compiling");
  const source = $("program").value;
  const began = performance.now();
  const told = await page.compiler.ask({ ask: "program", program: source, inputs: page.inputs });
  if (asked !== page.asked) return;
  const took = Math.round(performance.now() - began);
  if (told.panic !== undefined || told.error !== undefined) {
    const why = told.panic ?? told.error;
    page.told = { ok: false, source, errors: [{ message: `the compiler stopped, which is a mistake of its own: ${why}`, at: null }] };
    draw();
    drawState("the compiler stopped, and has been started again", true);
    document.body.dataset.state = "stopped";
    return;
  }
  page.told = { ...told, source };
  if (told.ok && complete()) return ask();
  draw();
  const errors = told.errors.length;
  drawState(told.ok ? `compiled in ${took} ms` : errors === 1 ? "1 error" : `${errors} errors`, !told.ok);
  document.body.dataset.state = "ready";
}

function show(tab) {
  page.tab = tab;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const chosen = button.getAttribute("aria-controls") === tab;
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    $(button.getAttribute("aria-controls")).hidden = !chosen;
  }
}

function load(name) {
  const sample = page.start.samples.find((one) => one.name === name) ?? page.start.samples[0];
  $("sample").value = sample.name;
  const words = sample.note.split("`").map((piece, k) => (k % 2 ? make("code", {}, piece) : piece));
  $("note").replaceChildren(make("b", {}, sample.paper), ". ", ...words);
  // As high as the program, within limits; the reader may pull it.
  $("program").parentElement.style.height = `${Math.min(24, Math.max(9, 3 + 1.3 * sample.program.split("\n").length))}rem`;
  $("program").value = sample.program;
  $("program").scrollTop = 0;
  page.inputs = structuredClone(sample.inputs);
  page.drawn = null;
  history.replaceState(null, "", `#${sample.name}`);
  ask();
}

async function begin() {
  page.compiler = new Compiler(await unpacked());
  page.start = await page.compiler.ask({ ask: "start" });
  const groups = new Map();
  for (const sample of page.start.samples) {
    const paper = sample.paper.split(",")[0];
    if (!groups.has(paper)) groups.set(paper, make("optgroup", { label: paper }));
    groups.get(paper).append(make("option", { value: sample.name }, sample.title));
  }
  $("sample").replaceChildren(...groups.values());
  $("sample").onchange = () => load($("sample").value);
  $("program").oninput = () => { drawMarks(); later(); };
  $("program").onscroll = follow;
  $("program").onkeydown = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(); };
  $("stage").onchange = () => { page.stage = $("stage").value; drawLoops(); };
  const tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((button, k) => {
    button.onclick = () => show(button.getAttribute("aria-controls"));
    button.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = tabs[(k + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    };
  });
  show("result");
  load(decodeURIComponent(location.hash.slice(1)));
}

begin().catch((error) => {
  drawState(`the compiler does not start here: ${error.message ?? error}`, true);
  document.body.dataset.state = "stopped";
});
