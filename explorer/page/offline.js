// A service worker: where the server does not answer, the page and its rates are those of the last visit.
const COPIES = 'driveaway-explorer'
const PAGE = ['', 'style.css', 'main.js']
const { pathname: folder } = new URL(self.registration.scope)

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(COPIES).then((copies) => copies.addAll(PAGE.map((name) => folder + name))))
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const name = new URL(event.request.url).pathname.slice(folder.length)
  const isOurs = event.request.method === 'GET' && [...PAGE, 'rates.json'].includes(name)
  if (isOurs) event.respondWith(answer(event.request))
})

async function answer(request) {
  const [copies, key] = [await caches.open(COPIES), await keyOf(request)]
  let fresh
  try {
    fresh = await fetch(request)
  } catch (error) {
    const copy = await copies.match(key)
    if (!copy) throw error
    return new Response(copy.body, { headers: { ...Object.fromEntries(copy.headers), 'x-copy': 'true' } })
  }
  if (fresh.ok) await keep(copies, key, fresh.clone())
  if (fresh.status === 401 || fresh.status === 403) await copies.delete(key)
  return fresh
}

/** Keeps one copy of each file: a client that gets a new token every hour would leave one of each token behind. */
async function keep(copies, key, fresh) {
  await copies.put(key, fresh)
  const now = new URL(key)
  const isOlder = ({ pathname, search }) => pathname === now.pathname && search !== now.search
  const older = (await copies.keys()).filter(({ url }) => isOlder(new URL(url)))
  await Promise.all(older.map((request) => copies.delete(request)))
}

/** A copy of the rates is for the token that they were read with; only the digest of the token is kept. */
async function keyOf({ url, headers }) {
  const token = headers.get('authorization')
  if (token === null) return url
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return `${url}?token=${[...new Uint8Array(digest)].join('-')}`
}
