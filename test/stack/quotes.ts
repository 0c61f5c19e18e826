import { setTimeout as sleep } from 'node:timers/promises'
import type { Quote } from '#rates/engine/answer.ts'
import type { Stack } from './stack.ts'

/** A new petrol sedan for $60,000 in Melbourne for a year. */
export const sedan = {
  pricingCode: 'AU_VIC',
  showroomCode: 'MEL01',
  purchaseDate: '2026-11-01',
  vehicleGeneric: { bodyType: 'sedan', fuelType: 'ICE', cylinders: 4, co2GPerKm: 150, condition: 'new', year: 2026 },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 6_000_000, kind: 'vehicle' }] },
  registration: { termMonths: 12, startDate: '2026-11-01', type: 'new', postcode: '3000' },
  customer: { customerType: 'consumer', usageType: 'consumer' },
  taxDatePolicy: { outOfRange: 'error' },
}

/** A bearer token of a demo client, by client_secret_basic. */
export async function tokenOf(
  stack: Pick<Stack, 'pricingUrl' | 'secretOf'>,
  client: string,
  secret?: string,
): Promise<string> {
  const credentials = `${client}:${secret ?? (await stack.secretOf(client))}`
  const response = await fetch(`${stack.pricingUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const body = (await response.json()) as { access_token?: string }
  if (!body.access_token) throw new Error(`no token for ${client}: ${response.status} ${JSON.stringify(body)}`)
  return body.access_token
}

export interface Answer {
  status: number
  body: Quote & { code?: string; message?: string }
}

export async function quoteOf(stack: Stack, token: string, request: object = sedan): Promise<Answer> {
  const response = await fetch(`${stack.pricingUrl}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The value in cents of a component's line, or undefined where there is none. */
export function lineOf(answer: Answer, component: string): number | undefined {
  if (answer.status !== 200) throw new Error(`no quote: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.categories.onRoad.find((line) => line.component === component)?.value
}

/** Asks for a quote again and again until stopped, and keeps every answer with its time in milliseconds. */
export function keepQuoting(stack: Stack, token: string, request: object = sedan) {
  const answers: (Answer & { at: number })[] = []
  let going = true
  const run = async () => {
    while (going) {
      const answer = await quoteOf(stack, token, request).catch((error: unknown) => ({
        status: 0,
        body: { message: String(error) } as Answer['body'],
      }))
      answers.push({ ...answer, at: performance.now() })
      await sleep(5)
    }
  }
  const running = run()
  return {
    answers,
    stop: async () => {
      going = false
      await running
      return answers
    },
  }
}
