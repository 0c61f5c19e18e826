import autocannon from 'autocannon'
import { ratioOf, type Figure } from '../report.ts'
import { measured } from '../requests.ts'

export const PER_SECOND = 300
const SECONDS = 8
/** A request that takes longer than a reload may take is late. */
const LATE_MS = 100

export interface Traffic {
  requests: number
  late: number
  failed: number
}

/** Quotes at a steady rate for some seconds. */
export async function traffic({ url, token }: { url: string; token: string }): Promise<Traffic> {
  const seen: Traffic = { requests: 0, late: 0, failed: 0 }
  const options: autocannon.Options = {
    ...{ url: `${url}/v1/quote`, method: 'POST', body: JSON.stringify(measured) },
    ...{ connections: 16, overallRate: PER_SECOND, duration: SECONDS },
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  }
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    running.on('response', (_client, status, _bytes, ms) => {
      seen.requests += 1
      if (status !== 200) seen.failed += 1
      if (ms > LATE_MS) seen.late += 1
    })
  })
  return { ...seen, failed: seen.failed + errors + timeouts }
}

/** What the quotes lost by other work of the process; `calm` is the traffic without that work, which `without` names. */
export function lostBy(busy: Traffic, calm: Traffic, without: string): Figure[] {
  const rest = { comparedWith: 'all requests', target: `none more than ${without}` }
  const late = {
    what: `requests later than ${LATE_MS} ms`,
    measured: `${busy.late} of ${busy.requests}; ${without} ${calm.late} of ${calm.requests}`,
    ...{ ratio: shareOf(busy.late, busy), ...rest, met: busy.late <= calm.late },
  }
  const failed = {
    what: 'requests that failed',
    measured: `${busy.failed} of ${busy.requests}`,
    ...{ ratio: shareOf(busy.failed, busy), comparedWith: 'all requests', target: 'none', met: busy.failed === 0 },
  }
  return [late, failed]
}

const shareOf = (count: number, { requests }: Traffic) => (count === 0 ? '0' : ratioOf(count, requests))
