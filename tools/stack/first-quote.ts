import { waitFor } from './wait-for.ts'

export interface QuoteLine {
  description: string
  value: number
  ruleId?: string
  evidence?: string
}

export interface Quote {
  categories: Record<'dutiable' | 'onRoad' | 'additional', QuoteLine[]>
  totals: { dutiable: number; onRoad: number; additional: number; driveAway: number }
  metadata: { warnings: string[]; release?: string; financialYear?: string }
}

export interface Rule {
  id: string
  name: string
  verification?: { officialSources?: { label: string; url: string; authority: string; official: boolean }[] }
}

export interface FirstQuote {
  quote: Quote
  rules: Rule[]
}

const pricingCode = 'AU_VIC'
const showroomCode = 'MEL01'

/** A new petrol SUV for $62,990 in Melbourne, registered on `date` for a year. */
export function demoRequest(date: string) {
  return {
    pricingCode,
    showroomCode,
    purchaseDate: date,
    vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', cylinders: 4, co2GPerKm: 159, condition: 'new' },
    pricingInputs: {
      dutiable: [
        { description: 'Vehicle', value: 6_299_000, kind: 'vehicle' },
        { description: 'Metallic paint', value: 69_500, kind: 'factory_option' },
      ],
    },
    registration: { termMonths: 12, startDate: date, type: 'new', postcode: '3000' },
    customer: { customerType: 'consumer', usageType: 'consumer' },
    taxDatePolicy: { outOfRange: 'prior_year' },
  }
}

/** Gets a token as the demo dealer, then requests one quote and its rules, until all of that works. */
export async function firstQuote(variables: Record<string, string>, date: string): Promise<FirstQuote> {
  return waitFor(
    'a first quote',
    async () => {
      const token = await requestToken(variables)
      const call = <T>(path: string, body?: object) => callApi<T>(`${variables['PRICING_URL']}${path}`, token, body)
      const quote = await call<Quote>('/v1/quote', demoRequest(date))
      const query = new URLSearchParams({ pricingCode, showroomCode, date })
      const listed = await call<{ rules: Rule[] }>(`/v1/rules?${query}`).catch(() => ({ rules: [] }))
      return { quote, rules: listed.rules }
    },
    { timeoutMs: 60_000, everyMs: 250 },
  )
}

/** A token of the demo dealer. */
export async function requestToken(variables: Record<string, string>): Promise<string> {
  const credentials = `${variables['DEALER_CLIENT_ID']}:${variables['DEALER_CLIENT_SECRET']}`
  const response = await fetch(variables['TOKEN_URL'] ?? '', {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    signal: AbortSignal.timeout(5_000),
  })
  const { access_token } = await json<{ access_token: string }>(response)
  return access_token
}

/** Calls an API with a token; throws for an unsuccessful response. */
export async function callApi<T>(url: string, token: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  })
  return json<T>(response)
}

async function json<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answers ${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as T
}
