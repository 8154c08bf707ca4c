// Runs Python programs of learners: the same script as a Web Worker and, natively, as a child process of Node. It loads
// MicroPython, hands each batch of cases to harness.py and answers case by case, so that whoever waits knows in which
// one a program hangs; then this worker is ended from outside and another one is started.

const inNode = typeof process === "object" && !globalThis.WorkerGlobalScope;

// A program may fill 32 MB. Without a bound the engine goes on to 2 GB, and needs minutes for it.
const maxPages = 512;
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength / 65536 + pages > maxPages) throw new RangeError("a program may use 32 MB");
  return grow.call(this, pages);
};

// load starts the engine. A WebAssembly module that was compiled before is used as it is.
async function load(glue, harness, module) {
  if (module) {
    globalThis.fetch = () => undefined;
    WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  }
  const { loadMicroPython } = await import(glue);
  const nowhere = () => {};
  console.error = console.warn = console.log = nowhere;
  const engine = await loadMicroPython({ stdout: nowhere, stderr: nowhere, heapsize: 4 << 20, pystack: 16 << 10 });
  engine.runPython(harness);
  return engine;
}

// shut takes away what leads out of here. The page's policy, and Node's permissions, forbid it once more.
function shut() {
  const names = ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "RTCPeerConnection", "indexedDB", "caches",
    "Worker", "SharedWorker", "BroadcastChannel", "MessageChannel", "importScripts", "navigator", "process", "global", "require", "Buffer",
    "postMessage", "close", "loadMicroPython"];
  for (const name of names) {
    try {
      delete globalThis[name];
      if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined });
    } catch {
      // what cannot be taken away is left to the policy
    }
  }
}

// run answers a batch: a line for each case. A case that ends in a limit is the last one.
function run(engine, text, answer) {
  const count = engine.globals.get("start")(text);
  const runCase = engine.globals.get("run_case");
  for (let i = 0; i < count; i++) {
    const line = runCase(i);
    answer(line);
    if (line.includes('"limit": "')) return; // quotes inside of texts are escaped
  }
}

async function main() {
  if (!inNode) {
    const post = globalThis.postMessage.bind(globalThis);
    globalThis.onmessage = async ({ data }) => {
      const engine = await load(data.glue, data.harness, data.module);
      globalThis.onmessage = ({ data }) => run(engine, data, post);
      shut();
      post("ready");
    };
    return;
  }
  const [{ readFileSync, writeSync }, { createInterface }] = await Promise.all([import("node:fs"), import("node:readline")]);
  const [glue, harness] = process.argv.slice(2);
  const lines = createInterface({ input: process.stdin });
  const engine = await load(glue, readFileSync(harness, "utf8"));
  shut();
  const write = (text) => writeSync(1, text + "\n");
  write("ready");
  lines.on("line", (text) => run(engine, text, write));
}

main();
