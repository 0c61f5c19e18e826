import { setTimeout as sleep } from 'node:timers/promises'
import { sedan } from '../stack/quotes.ts'
import { kubectl, type Release } from './release.ts'

/** What a lost production cost its clients. */
export interface Recovery {
  /** Minutes from the start of the asking to the first quote; NaN if none came. */
  minutes: number
  /** Quotes that were asked for from the first one on, and those of them that failed. */
  quotes: number
  failed: number
}

/** Asks a production that is not there for a quote, with the token of before, again and again until it is told to end. */
export function askForQuotes({ pricingUrl }: Release, token: string): { end(): Promise<Recovery> } {
  const since = performance.now()
  const told: Recovery = { minutes: NaN, quotes: 0, failed: 0 }
  let isGoing = true
  const ask = async () => {
    while (isGoing) {
      const isQuoted = await isAnswered(pricingUrl, token)
      if (isQuoted && told.quotes === 0) told.minutes = (performance.now() - since) / 60_000
      if (isQuoted || told.quotes > 0) told.quotes++
      if (!isQuoted && told.quotes > 0) told.failed++
      await sleep(200)
    }
  }
  const running = ask()
  return {
    end: async () => {
      isGoing = false
      await running
      return told
    },
  }
}

/** Nobody may be there, and then a connection is refused, or nothing answers it. */
async function isAnswered(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(5_000)
  try {
    const response = await fetch(`${url}/v1/quote`, { method: 'POST', headers, body: JSON.stringify(sedan), signal })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** The secret of each client that the operator made one for, by the name of the client. */
export async function secretsOf(release: Release): Promise<Map<string, string | undefined>> {
  const text = await kubectl(release, ['-n', `${release.name}-clients`, 'get', 'secrets', '-o', 'json'])
  const { items } = JSON.parse(text) as { items: { metadata: { name: string }; data?: Record<string, string> }[] }
  const ofClients = items.filter(({ data }) => data?.['clientSecret'] !== undefined)
  return new Map(ofClients.map(({ metadata, data }) => [metadata.name, data?.['clientSecret']]))
}
