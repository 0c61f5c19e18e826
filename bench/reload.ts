import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { lostBy, PER_SECOND, traffic, type Traffic } from './http/steady-traffic.ts'
import { ratioOf, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const TARGET_MS = 100
const EVERY_MS = 400
interface Started {
  url: string
  token: string
  sets: number
  /** Processor time of a reload. */
  cpuMs: number
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
  return {
    title: 'A reload of every rate set under load',
    how: how(sets),
    figures: [alone, reload, ...lostBy(busy, calm, 'without reloads')],
  }
}

const how = (sets: number) =>
  `All ${sets} committed sets, each time with new digests, are parsed, hashed, verified and compiled beside the sets in use, ` +
  `while a client requests ${PER_SECOND} quotes a second at a steady rate.`
