import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { ratioOf, type Section } from './report.ts'
import { measured } from './requests.ts'
import { percentile } from './rounds.ts'

const TARGET_MS = 100
const PER_SECOND = 300
const SECONDS = 8
const EVERY_MS = 400
/** A request that takes longer than a reload may take is late. */
const LATE_MS = 100

interface Started {
  url: string
  token: string
  sets: number
  /** Processor time of a reload. */
  cpuMs: number
}

interface Traffic {
  requests: number
  late: number
  failed: number
}

/** Repeated reloads in which every set is new, while quotes are requested at a steady rate. */
export async function reloadUnderLoad(): Promise<Section> {
  const child = fork(new URL('http/reloading.ts', import.meta.url))
  const [started] = (await once(child, 'message')) as [Started]
  try {
    // Warms up the server, and gives the latencies without reloads for comparison.
    const calm = await traffic(started)
    const times: number[] = []
    const ended = new AbortController()
    const reloads = reloadUntil(child, ended.signal, times)
    const busy = await traffic(started)
    ended.abort()
    await reloads
    return section({ started, times, calm, busy })
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function reloadUntil(child: ChildProcess, signal: AbortSignal, times: number[]): Promise<void> {
  while (!signal.aborted) {
    child.send('reload')
    const [{ ms }] = (await once(child, 'message')) as [{ ms: number }]
    times.push(ms)
    await sleep(EVERY_MS)
  }
}

async function traffic({ url, token }: Started): Promise<Traffic> {
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

interface Outcome {
  started: Started
  times: number[]
  calm: Traffic
  busy: Traffic
}

function section({ started, times, calm, busy }: Outcome): Section {
  const { sets, cpuMs } = started
  const alone = {
    what: 'a reload, processor time',
    measured: `${cpuMs.toFixed(0)} ms`,
    ...{ ratio: ratioOf(cpuMs, TARGET_MS), comparedWith: `${TARGET_MS} ms`, target: '', met: null },
  }
  const ms = percentile(times, 50)
  const reload = {
    what: 'a reload, from the index to the swap',
    measured: `${ms.toFixed(0)} ms, the median of ${times.length}`,
    ...{ ratio: ratioOf(ms, TARGET_MS), comparedWith: `${TARGET_MS} ms` },
    ...{ target: `at most 1 (${TARGET_MS} ms)`, met: ms < TARGET_MS },
  }
  const rest = { comparedWith: 'all requests', target: 'none more than without reloads' }
  const late = {
    what: `requests later than ${LATE_MS} ms`,
    measured: `${busy.late} of ${busy.requests}; without reloads ${calm.late} of ${calm.requests}`,
    ...{ ratio: shareOf(busy.late, busy), ...rest, met: busy.late <= calm.late },
  }
  const failed = {
    what: 'requests that failed',
    measured: `${busy.failed} of ${busy.requests}`,
    ...{ ratio: shareOf(busy.failed, busy), comparedWith: 'all requests', target: 'none', met: busy.failed === 0 },
  }
  return { title: 'A reload of every rate set under load', how: how(sets), figures: [alone, reload, late, failed] }
}

const shareOf = (count: number, { requests }: Traffic) => (count === 0 ? '0' : ratioOf(count, requests))

const how = (sets: number) =>
  `All ${sets} committed sets, each time with new digests, are parsed, hashed, verified and compiled beside the sets in use, ` +
  `while a client requests ${PER_SECOND} quotes a second at a steady rate.`
