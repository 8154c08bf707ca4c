"use strict";
// The service worker while a folder of lessons is watched: it takes the place of one that an earlier visit left, throws
// away what that one kept, and goes. The pages load again, from the server.
addEventListener("install", () => skipWaiting());

async function retire() {
  const names = await caches.keys();
  await Promise.all(names.filter((n) => n.startsWith("retrylab " + registration.scope + " ")).map((n) => caches.delete(n)));
  await registration.unregister();
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  await Promise.all(pages.filter((p) => p.url.startsWith(registration.scope)).map((p) => p.navigate(p.url).catch(() => {})));
}
addEventListener("activate", (e) => e.waitUntil(retire()));
