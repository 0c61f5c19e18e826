import { followReleases, RequestRefused } from './evaluator/index.js'
import keys from './keys.json' with { type: 'json' }

// The address of the current bundle, as `driveaway bundle` writes it.
const BUNDLE = new URL('current.bundle', location.href).href
const KEPT = 'rates'

const form = document.querySelector('#vehicle')
const quoteArea = document.querySelector('#quote')
const ratesArea = document.querySelector('#rates')

const dollars = (cents) => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })

function element(name, ...content) {
  const made = document.createElement(name)
  made.append(...content)
  return made
}

/** The body of `POST /v1/quote`; amounts in cents. */
function requestOf(fields) {
  const day = new Date().toLocaleDateString('sv-SE')
  const facts = { bodyType: fields.get('bodyType'), fuelType: fields.get('fuelType'), condition: 'new' }
  for (const fact of ['cylinders', 'co2GPerKm', 'tareKg']) {
    if (fields.get(fact) !== '') facts[fact] = Number(fields.get(fact))
  }
  return {
    pricingCode: fields.get('pricingCode'),
    showroomCode: 'SHOWROOM',
    purchaseDate: day,
    vehicleGeneric: facts,
    pricingInputs: {
      dutiable: [{ description: 'Vehicle', kind: 'vehicle', value: Math.round(Number(fields.get('price')) * 100) }],
    },
    registration: { startDate: day, postcode: fields.get('postcode') },
  }
}

/** The lines and the total; and what the price lacks or assumes, because a price without that is a wrong price. */
function shown({ categories, totals, metadata }) {
  const lines = [...categories.dutiable, ...categories.onRoad, ...categories.additional]
  const rows = lines.map(({ description, value }) =>
    element('tr', element('td', description), element('td', dollars(value))),
  )
  const total = element(
    'tr',
    element('th', 'Drive-away price'),
    element('td', element('strong', dollars(totals.driveAway))),
  )
  const notes = [...metadata.unpriced.map(({ component }) => `Not in this price: ${component}`), ...metadata.warnings]
  return [
    element('table', element('tbody', ...rows, total)),
    element('ul', ...notes.map((note) => element('li', note))),
  ]
}

function draw(followed) {
  const { current } = followed
  ratesArea.textContent = stateOf(followed)
  if (!current) {
    quoteArea.replaceChildren(element('p', 'There are no rates on this device yet. Connect once to load them.'))
    return
  }
  if (!form.checkValidity()) return
  try {
    quoteArea.replaceChildren(...shown(current.quote(requestOf(new FormData(form)))))
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    quoteArea.replaceChildren(element('p', error.refusal.message))
  }
}

function stateOf(followed) {
  const { current, lastFault } = followed
  if (!current) return `No rates: ${lastFault?.message ?? 'not loaded'}`
  const minutes = Math.floor(followed.ageMs() / 60_000)
  const age = minutes < 1 ? 'less than a minute ago' : `${minutes.toLocaleString('en-AU')} minutes ago`
  const state = `Rates ${current.release.slice(0, 19)}, confirmed ${age}.`
  return lastFault ? `${state} No newer rates: ${lastFault.message}` : state
}

async function keptBytes() {
  const kept = await (await caches.open(KEPT)).match(BUNDLE)
  return kept && new Uint8Array(await kept.arrayBuffer())
}

const keep = async (bytes) => (await caches.open(KEPT)).put(BUNDLE, new Response(bytes))

async function start() {
  if (!navigator.serviceWorker) throw new Error('this address is not HTTPS, so nothing can be kept on this device')
  await navigator.serviceWorker.register('service-worker.js')
  const followed = await followReleases(BUNDLE, {
    keys,
    kept: await keptBytes(),
    // A line that is down may also answer nothing at all; the page does not wait for that.
    timeoutMs: 5_000,
    onRelease: (_, bytes) => void keep(bytes),
  })
  draw(followed)
  form.addEventListener('input', () => draw(followed))
  form.addEventListener('submit', (event) => event.preventDefault())
  setInterval(() => draw(followed), 10_000)
  addEventListener('online', () => followed.refresh().then(() => draw(followed)))
}

start().catch((error) => quoteArea.replaceChildren(element('p', `The page cannot start: ${error.message}.`)))
