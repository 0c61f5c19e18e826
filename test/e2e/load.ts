import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Quote } from '#rates/engine/answer.ts'
import { sedan } from '../stack/quotes.ts'

export interface Answered {
  status: number
  release: string
  plates: number | undefined
  /** Milliseconds, as `performance.now()` has them. */
  at: number
  error?: string
}

/** Asks for the same quote over several connections that are kept, until stopped; keeps every answer. */
export function startLoad(url: string, token: string, { connections = 4, everyMs = 20 } = {}) {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const answers: Answered[] = []
  let isGoing = true
  const ask = async () => {
    while (isGoing) {
      answers.push(await askOnce(pool, token))
      await sleep(everyMs)
    }
  }
  const running = Promise.all(Array.from({ length: connections }, ask))
  return {
    answers,
    stop: async () => {
      isGoing = false
      await running
      await pool.close()
      return answers
    },
  }
}

async function askOnce(pool: Pool, token: string): Promise<Answered> {
  try {
    const { statusCode, body } = await pool.request({
      ...{ method: 'POST', path: '/v1/quote', body: JSON.stringify(sedan) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    const text = await body.text()
    const at = performance.now()
    if (statusCode !== 200) return { status: statusCode, release: '', plates: undefined, at, error: text }
    const quote = JSON.parse(text) as Quote
    const plates = quote.categories.onRoad.find(({ component }) => component === 'PLATES')?.value
    return { status: 200, release: quote.metadata.release, plates, at }
  } catch (error) {
    return { status: 0, release: '', plates: undefined, at: performance.now(), error: String(error) }
  }
}

/** What went wrong under the load: answers that failed, and releases that answered with more than one figure. */
export function faultsOf(answers: readonly Answered[]): { failed: string[]; mixed: string[] } {
  const failed = answers.filter(({ status }) => status !== 200).map(({ status, error }) => `${status} ${error}`)
  const byRelease = new Map<string, Set<number | undefined>>()
  for (const { release, plates, status } of answers) {
    if (status === 200) byRelease.set(release, (byRelease.get(release) ?? new Set()).add(plates))
  }
  const mixed = [...byRelease].filter(([, figures]) => figures.size > 1).map(([release]) => release)
  return { failed, mixed }
}

/** The value that a share of the numbers does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
