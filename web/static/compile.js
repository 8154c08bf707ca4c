"use strict";
// Downloads and compiles the program away from the page, which can show the step's text and be scrolled meanwhile. The
// page hears how many bytes have come, now and then, and at last gets the module, or why there is none. It names the
// worker "local" if the service worker answers.
let loaded = 0, told = 0;
const count = (chunk, out) => {
  loaded += chunk.byteLength;
  out.enqueue(chunk);
};
setInterval(() => { if (told !== loaded) postMessage({ loaded: told = loaded }); }, 100);

// counted gives the same response with its bytes counted on the way. Under the service worker the file comes from the
// disk, where counting would cost more than it tells, and would keep the browser from caching the compiled code.
const counted = (response, local) => {
  const typed = (response.headers.get("Content-Type") || "").startsWith("application/wasm");
  const streams = typeof TransformStream === "function";
  if ((local || !streams) && typed) return response;
  const body = streams ? response.body.pipeThrough(new TransformStream({ transform: count })) : response.body;
  return new Response(body, { headers: { "Content-Type": "application/wasm" } }); // some hosts do not know the type
};

const compile = async (local) => {
  const response = await fetch("app.wasm", { credentials: "same-origin" });
  if (!response.ok) throw new Error(`app.wasm: HTTP ${response.status}`);
  if (!WebAssembly.compileStreaming) return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(counted(response, local));
};

compile(name === "local").then((module) => postMessage({ module }), (e) => postMessage({ error: String(e && e.message || e) }));
