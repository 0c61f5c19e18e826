// Run by `helm test` inside the cluster: calls the Services as a client would.
const { PRICING_URL, INVENTORY_URL, CLIENT_ID, CLIENT_SECRET, PRICING_CODE, SHOWROOM_CODE } = process.env

async function ask(method, url, { headers = {}, body } = {}) {
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(10_000) })
  const text = await response.text()
  return { status: response.status, text, json: () => JSON.parse(text) }
}

function check(name, isRight, found) {
  if (!isRight) throw new Error(`${name}: got ${found}`)
  console.log(`ok   ${name}`)
}

const isJson = { 'content-type': 'application/json' }

for (const [name, url] of Object.entries({ pricing: PRICING_URL, inventory: INVENTORY_URL })) {
  if (!url) continue
  const spec = await ask('GET', `${url}/spec`)
  check(`${name} serves its specification`, spec.status === 200, spec.status)
}
const stranger = await ask('POST', `${PRICING_URL}/v1/quote`, { headers: isJson, body: '{}' })
check('a quote without a token is refused', stranger.status === 401, `${stranger.status} ${stranger.text}`)

if (CLIENT_ID) {
  const basic = Buffer.from(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`).toString('base64')
  const answer = await ask('POST', `${PRICING_URL}/oauth/token`, {
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  check('the client gets a token', answer.status === 200, `${answer.status} ${answer.text}`)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' })
  const quote = await ask('POST', `${PRICING_URL}/v1/quote`, {
    headers: { ...isJson, authorization: `Bearer ${answer.json().access_token}` },
    body: JSON.stringify({
      pricingCode: PRICING_CODE,
      showroomCode: SHOWROOM_CODE,
      purchaseDate: today,
      vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', cylinders: 4, co2GPerKm: 150, condition: 'new' },
      pricingInputs: { dutiable: [{ description: 'Vehicle', value: 5_000_000, kind: 'vehicle' }] },
      registration: { type: 'new', startDate: today, termMonths: 12, postcode: '3000' },
    }),
  })
  check('a quote is priced', quote.status === 200, `${quote.status} ${quote.text}`)
  const { totals, metadata } = quote.json()
  console.log(`     ${PRICING_CODE} on ${today}: drive-away ${totals.driveAway / 100}, release ${metadata.release}`)
} else {
  console.log('skip a quote: tests.clientSecretName names no client')
}
