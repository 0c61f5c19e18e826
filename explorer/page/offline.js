// A service worker: where the server does not answer, the page and its rates are those of the last visit.
const COPIES = 'driveaway-explorer'
const PAGE = ['', 'style.css', 'main.js']
/** Other releases, each for a curve: as many as stay compiled in the page. */
const MOST_RELEASES = 4
/** Longer than the page waits. */
const MOST_MS = 60_000
const { pathname: folder } = new URL(self.registration.scope)

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(COPIES).then((copies) => copies.addAll(PAGE.map((name) => folder + name))))
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const name = new URL(event.request.url).pathname.slice(folder.length)
  const isOurs = PAGE.includes(name) || ['rates.json', 'releases.json'].includes(name) || isRelease(name)
  if (!isOurs || event.request.method !== 'GET') return
  const { signal, end } = begin(`${event.clientId} ${event.request.url}`)
  event.respondWith(answer(event.request, signal).finally(end))
})

/** Requests with their page and address: a browser does not tell a worker that its page does not wait any more. */
const running = new Set()
self.addEventListener('message', ({ data, source }) => {
  // A page may ask for the same address twice.
  for (const { name, control } of running) if (name === `${source.id} ${data.ended}`) control.abort()
})

/** Before anything is waited for: the page may end the request at once. */
function begin(name) {
  const started = { name, control: new AbortController() }
  running.add(started)
  return { signal: started.control.signal, end: () => running.delete(started) }
}

const isRelease = (name) => name.startsWith('releases/')

async function answer(request, signal) {
  const [copies, key] = [await caches.open(COPIES), await keyOf(request)]
  let fresh
  try {
    // An answer takes a connection of the browser until it is whole, or nobody waits for it.
    fresh = await fetch(request, { signal: AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]) })
    // One that breaks off is none.
    await fresh.clone().arrayBuffer()
  } catch (error) {
    const copy = await copies.match(key)
    if (!copy) throw error
    return new Response(copy.body, { headers: { ...Object.fromEntries(copy.headers), 'x-copy': 'true' } })
  }
  // Where there is no room for a copy, the answer is at hand all the same.
  if (fresh.ok) await keep(copies, key, fresh.clone()).catch(() => undefined)
  if (fresh.status === 401 || fresh.status === 403) await forget(copies, ({ search }) => search === new URL(key).search)
  // A release that the server does not have any more.
  if (fresh.status === 400 || fresh.status === 404) await copies.delete(key)
  return fresh
}

/** Keeps one copy of each file: a client that gets a new token every hour would leave one of each token behind. */
async function keep(copies, key, fresh) {
  const { pathname, search } = new URL(key)
  // Put in last, so that the copies of releases are in the order of their last use.
  if (isRelease(pathname.slice(folder.length))) await copies.delete(key)
  await copies.put(key, fresh)
  if (search !== '') await forget(copies, (other) => other.search !== '' && other.search !== search)
  const releases = (await copies.keys()).filter(({ url }) => isRelease(new URL(url).pathname.slice(folder.length)))
  await Promise.all(releases.slice(0, -MOST_RELEASES).map((request) => copies.delete(request)))
}

async function forget(copies, isForgotten) {
  const kept = await copies.keys()
  await Promise.all(kept.filter(({ url }) => isForgotten(new URL(url))).map((request) => copies.delete(request)))
}

/** A copy of the rates is for the token that they were read with; only the digest of the token is kept. */
async function keyOf({ url, headers }) {
  const token = headers.get('authorization')
  if (token === null) return url
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return `${url}?token=${[...new Uint8Array(digest)].join('-')}`
}
