"use strict";
// The service worker of one build. It keeps all files of that build in a cache of its own and answers from there, so
// that the page works offline and never meets a file of another build: a worker whose build differs from its index
// does not install, and an installed one waits until no page of the older build is left, or until a page says "skip".
const HASH = "%HASH%";
const FILES = %FILES%; // everything under the build's own folder,
const LATE = %LATE%; // and what is wanted only by who opens a code step: from then on it is kept too
const PREFIX = "retrylab " + registration.scope + " "; // other subfolders of this host have their own
const CACHE = PREFIX + HASH;
const INDEX = new URL("./", registration.scope).href;
const EMBED = new URL("embed.html", registration.scope).href;
const MANIFEST = new URL("manifest.webmanifest", registration.scope).href;

// ofThisBuild fetches a page, which must name this very build.
async function ofThisBuild(address) {
  const page = await fetch(address, { cache: "no-cache", credentials: "same-origin" });
  const text = await page.clone().text();
  if (!page.ok || !text.includes('data-build="b/' + HASH + '"')) {
    throw new Error("the host is between two builds; the browser tries again on the next visit");
  }
  return page;
}

const own = (files) => files.map((f) => new Request(new URL(f, registration.scope), { credentials: "same-origin" }));

// keepLate keeps what code steps need, unless it is kept already.
async function keepLate() {
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const request of own(LATE)) if (!(await cache.match(request))) missing.push(request);
  await cache.addAll(missing);
}

// wantedLate tells whether an older build has kept it: then this one does so at once, and works offline as well.
async function wantedLate() {
  for (const name of (await caches.keys()).filter((n) => n.startsWith(PREFIX) && n !== CACHE)) {
    const kept = await (await caches.open(name)).keys();
    if (kept.some((r) => r.url.endsWith("/python/worker.js"))) return true;
  }
  return false;
}

async function install() {
  const index = await ofThisBuild(INDEX), embed = await ofThisBuild(EMBED);
  const cache = await caches.open(CACHE);
  try {
    // Names under b/<hash>/ never change their content: what the page has just downloaded may be taken from the
    // browser's cache instead of fetching it a second time.
    await cache.addAll(own(FILES));
    if (await wantedLate()) await keepLate();
    await cache.add(new Request(MANIFEST, { cache: "no-cache", credentials: "same-origin" }));
    await cache.put(EMBED, embed);
    await cache.put(INDEX, index); // last: a cache with an index is complete
  } catch (e) {
    await caches.delete(CACHE);
    throw e;
  }
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((n) => n.startsWith(PREFIX) && n !== CACHE).map((n) => caches.delete(n)));
  await clients.claim();
}

async function answer(request) {
  const url = new URL(request.url);
  const page = url.pathname === new URL(INDEX).pathname || url.pathname === new URL("index.html", INDEX).pathname;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(page && request.mode === "navigate" ? INDEX : request, { ignoreSearch: true, ignoreVary: true });
  return kept || fetch(request);
}

addEventListener("install", (e) => e.waitUntil(install()));
addEventListener("activate", (e) => e.waitUntil(activate()));
addEventListener("message", (e) => {
  if (e.data === "skip") skipWaiting();
  if (e.data === "late") e.waitUntil(keepLate());
});
// What the server's labs answer, and their endless streams, is no part of a build.
const LABS = new URL("v1/", registration.scope).href;
addEventListener("fetch", (e) => {
  const url = e.request.url;
  if (e.request.method === "GET" && url.startsWith(registration.scope) && !url.startsWith(LABS)) e.respondWith(answer(e.request));
});
