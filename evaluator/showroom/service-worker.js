// Keeps the page and its programs, so that the page opens without a network. The rates are kept by showroom.js.
const KEPT = 'showroom'
const FILES = ['./', 'style.css', 'showroom.js', 'keys.json', 'evaluator/index.js', 'evaluator/follower.js']

const addressOf = (file) => new URL(file, self.registration.scope).href

// All files or none: a page never runs with programs of two versions.
async function keepAll() {
  const cache = await caches.open(KEPT)
  await cache.addAll(FILES.map((file) => new Request(addressOf(file), { cache: 'no-cache' })))
}

async function keptOrFetched(request) {
  const cache = await caches.open(KEPT)
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)
}

self.addEventListener('install', (event) => event.waitUntil(keepAll()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !FILES.some((file) => addressOf(file) === request.url.split(/[?#]/)[0])) return
  event.respondWith(keptOrFetched(request))
  // A newer version of the page is kept now and shown when the page is opened the next time.
  if (request.mode === 'navigate') event.waitUntil(keepAll().catch(() => undefined))
})
