// The page in a headless Chromium, opened from file://: every sample compiles and has a result, errors stand at their token, formats
// are chosen from lists, cells are edited, and a compiler that stops is started again. Needs Node 20 and a Chromium, and nothing else:
//
//     docs/playground/build.sh && node docs/playground/test.mjs [directory for screenshots]
//
// CHROMIUM names the browser, if it is not `chromium`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const shots = process.argv[2];
const profile = mkdtempSync(join(tmpdir(), "playground-"));
const browser = spawn(process.env.CHROMIUM ?? "chromium", [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", `--user-data-dir=${profile}`, "--remote-debugging-pipe",
  "--window-size=1280,900", "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

// ---- The browser's protocol, over a pipe ---------------------------------------------------------------------------------------
const waiting = new Map(), events = [];
let count = 0, buffer = "";
browser.stdio[4].on("data", (data) => {
  buffer += data;
  for (let end; (end = buffer.indexOf("\0")) >= 0; buffer = buffer.slice(end + 1)) {
    const message = JSON.parse(buffer.slice(0, end));
    if (message.id === undefined) { events.push(message); continue; }
    const { done, failed } = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? failed(new Error(message.error.message)) : done(message.result);
  }
});
function call(method, params = {}, sessionId = undefined) {
  const id = ++count;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((done, failed) => waiting.set(id, { done, failed }));
}

const { targetInfos } = await call("Target.getTargets");
const target = targetInfos.find((t) => t.type === "page").targetId;
const { sessionId } = await call("Target.attachToTarget", { targetId: target, flatten: true });
const send = (method, params) => call(method, params, sessionId);
await send("Page.enable");
await send("Runtime.enable");
await send("Network.enable");

async function run(expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
async function settled() {
  for (let k = 0; k < 1200; k++) {
    const state = await run("document.body?.dataset.state ?? ''");
    if (state === "ready" || state === "stopped") return state;
    await sleep(50);
  }
  throw new Error(`the page does not settle: ${await run("document.getElementById('state').textContent")}`);
}
async function typed(program) {
  await run(`{ const p = document.getElementById("program"); p.value = ${JSON.stringify(program)}; p.dispatchEvent(new Event("input")); }`);
  return settled();
}
const text = (id) => run(`document.getElementById(${JSON.stringify(id)}).textContent`);
const sample = async (name) => { await run(`document.body.dataset.state = ""; load(${JSON.stringify(name)})`); return settled(); };
const click = (id) => run(`document.getElementById(${JSON.stringify(id)}).click()`);

async function shot(name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  const { data } = await send("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
}
async function screen(width, height, scheme, mobile = false) {
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
}

const tests = {
  async "the page starts from a file"() {
    await send("Page.navigate", { url: pathToFileURL(join(import.meta.dirname, "index.html")).href });
    assert.equal(await settled(), "ready");
    assert.match(await text("result"), /y 3/);
    assert.equal(await run("page.told.results.values[0].data.join()"), "2,0,35");
  },
  async "every sample compiles, has a result, and is drawn"() {
    const names = await run("page.start.samples.map((s) => s.name)");
    assert.ok(names.length >= 15, names);
    for (const name of names) {
      assert.equal(await sample(name), "ready", name);
      assert.deepEqual(await run("page.told.errors"), [], name);
      assert.equal(await run("page.told.results.error ?? null"), null, name);
      assert.ok(await run("page.told.ways.ways.length > 0 && document.querySelectorAll('#costs li').length > 0"), name);
      assert.ok(await run("document.querySelectorAll('#looplets figure .element').length > 0"), `${name} has no looplets`);
      assert.match(await text("code"), /fn /, name);
    }
  },
  async "an error stands at its token"() {
    await sample("spmv");
    await typed("fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {\n    y[i] += a[i, j] * zz[j]\n}");
    assert.equal(await run("document.querySelector('#marks mark.error').textContent"), "zz");
    assert.match(await text("messages"), /line 2, column 23.*unknown tensor `zz`/);
    assert.equal(await run("document.querySelector('#messages button').click(); window.getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"), "zz");
    const [mark, area] = await run(`(() => {
      const m = document.querySelector("#marks").getBoundingClientRect(), a = document.querySelector("#program").getBoundingClientRect();
      return [[m.left, m.top], [a.left, a.top]];
    })()`);
    assert.deepEqual(mark, area);
    await shot("error");
  },
  async "formats are chosen from lists"() {
    await sample("spmv");
    const before = await text("result");
    await run(`{ document.body.dataset.state = ""; const s = document.querySelector('[aria-label="Format of dimension 1 of a"]'); s.value = "BTree"; s.dispatchEvent(new Event("change")); }`);
    assert.equal(await settled(), "ready");
    assert.match(await run("document.getElementById('program').value"), /a: &Tensor<Dense<BTree<Element<f64>>>>/);
    assert.deepEqual(await run("page.told.errors"), []);
    assert.equal(await text("result"), before);
    await run(`{ document.body.dataset.state = ""; const s = document.querySelector('[aria-label="Format of dimension 1 of a"]'); s.value = "SparseList"; s.dispatchEvent(new Event("change")); }`);
    await settled();
    assert.match(await run("document.getElementById('program').value"), /a: &Csr<f64>/);
  },
  async "every level can be chosen for an operand"() {
    const levels = await run("page.start.levels.map((l) => l.name)");
    const refused = [];
    for (const level of levels) {
      await run(`document.body.dataset.state = ""`);
      await typed(`fn spmv(a: &Tensor<Dense<${level}<Element<f64>>>>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }`);
      if (!(await run("page.told.ok"))) refused.push(`${level}: ${await run("page.told.errors[0].message")}`);
    }
    assert.deepEqual(refused, []);
  },
  async "cells are edited"() {
    await sample("spmv");
    await run(`{ document.body.dataset.state = ""; const c = document.querySelector('[aria-label="a[0, 0]"]'); c.value = "inf"; c.dispatchEvent(new Event("input")); }`);
    await settled();
    assert.match(await run("document.querySelector('#result td').textContent"), /^inf$/);
    await run(`{ document.body.dataset.state = ""; const c = document.querySelector('[aria-label="a[0, 0]"]'); c.value = "two"; c.dispatchEvent(new Event("input")); }`);
    await settled();
    assert.match(await text("result"), /`two` is no `f64`/);
  },
  async "tabs and cells are reached by keys"() {
    await sample("spmv");
    await run(`document.getElementById("tab-result").focus()`);
    await send("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowRight", code: "ArrowRight" });
    assert.equal(await run("document.activeElement.id + page.tab"), "tab-loopsloops");
    await run(`document.querySelector('[aria-label="a[0, 0]"]').focus()`);
    await send("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowDown", code: "ArrowDown" });
    assert.equal(await run("document.activeElement.getAttribute('aria-label')"), "a[1, 0]");
    const unnamed = await run(`[...document.querySelectorAll("input, select, textarea, button")].filter((e) =>
      !(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim())).map((e) => e.outerHTML)`);
    assert.deepEqual(unnamed, []);
    await click("tab-result");
  },
  async "a compiler that stops is started again"() {
    const broken = await run(`page.compiler.ask({ ask: "panic" })`);
    assert.match(broken.panic, /the page asked for it/);
    assert.equal(await sample("spmv"), "ready");
    const deep = "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = " + "(".repeat(20000) + "x[i]" + ")".repeat(20000) + " } }";
    await run(`document.body.dataset.state = ""`);
    await typed(deep);
    await sample("spmv");
    assert.deepEqual(await run("page.told.errors"), []);
  },
  async "what takes too long is stopped"() {
    const late = await run(`page.compiler.ask({ ask: "program", program: document.getElementById("program").value, inputs: {} }, 1)`);
    assert.match(late.panic ?? "", /longer|^$/);
    assert.equal(await sample("spmv"), "ready");
  },
  async "it looks well"() {
    for (const [name, width, height, scheme, mobile] of [
      ["light", 1280, 900, "light"], ["dark", 1280, 900, "dark"], ["narrow", 390, 844, "light", true], ["narrow-dark", 390, 844, "dark", true],
    ]) {
      await screen(width, height, scheme, mobile);
      for (const tab of ["result", "loops", "looplets", "costs"]) {
        await sample(tab === "costs" ? "spmv" : "spmspv");
        await click(`tab-${tab}`);
        if (mobile) await run(`document.querySelector(".right").scrollIntoView()`);
        await sleep(100);
        assert.ok(await run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), `${name} scrolls sideways`);
        await shot(`${name}-${tab}`);
      }
      if (mobile) { await run("scrollTo(0, 0)"); await shot(`${name}-top`); await run("scrollTo(0, 700)"); await shot(`${name}-middle`); }
      await click("tab-result");
    }
  },
  async "nothing comes from a network"() {
    const asked = events.filter((e) => e.method === "Network.requestWillBeSent").map((e) => e.params.request.url);
    assert.deepEqual(asked.filter((url) => !/^(file|blob|data):/.test(url)), []);
    const thrown = events.filter((e) => e.method === "Runtime.exceptionThrown").map((e) => e.params.exceptionDetails.exception?.description);
    assert.deepEqual(thrown, []);
  },
};

let failed = 0;
const only = process.env.ONLY;
for (const [name, test] of Object.entries(tests)) {
  if (only && name !== "the page starts from a file" && !name.includes(only)) continue;
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.message}`);
  }
}
await call("Browser.close").catch(() => {});
await new Promise((done) => (browser.exitCode === null ? browser.on("exit", done) : done()));
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
