import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { lostBy, PER_SECOND, traffic, type Traffic } from './http/steady-traffic.ts'
import { ratioOf, type Section } from './report.ts'
import { measured } from './requests.ts'
import { percentile } from './rounds.ts'

const EVERY_MS = 400

interface Started {
  url: string
  token: string
  sets: number
  releases: string[]
}

/** Ten earlier releases asked for in turn, while quotes of the present release are requested at a steady rate. */
export async function oldReleases(): Promise<Section> {
  const child = fork(new URL('http/with-old-releases.ts', import.meta.url))
  const [started] = (await once(child, 'message')) as [Started]
  try {
    // Warms up the server, and gives the latencies without earlier releases for comparison.
    const calm = await traffic(started)
    const ended = new AbortController()
    const asked = askInTurn(started, ended.signal)
    const busy = await traffic(started)
    ended.abort()
    return section(started, await asked, { calm, busy })
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

/** Milliseconds until each quote by an earlier release was answered; throws where one is refused. */
async function askInTurn({ url, token, releases }: Started, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  for (let at = 0; !signal.aborted; at++) {
    const start = performance.now()
    const options = { asKnownAt: releases[at % releases.length] }
    const answer = await fetch(`${url}/v1/quote`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ ...measured, options }) },
    })
    if (answer.status !== 200) throw new Error(`a quote by an earlier release: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    times.push(performance.now() - start)
    await sleep(EVERY_MS)
  }
  return times
}

function section(started: Started, times: number[], { calm, busy }: Record<'calm' | 'busy', Traffic>): Section {
  const ms = percentile(times, 50)
  const first = {
    what: 'a quote by an earlier release that is not loaded',
    measured: `${ms.toFixed(0)} ms, the median of ${times.length}`,
    ...{
      ratio: ratioOf(ms, EVERY_MS),
      comparedWith: `${EVERY_MS} ms, the time between two of these`,
      target: '',
      met: null,
    },
  }
  const figures = [first, ...lostBy(busy, calm, 'without earlier releases')]
  return { title: 'Ten earlier releases beside the present one', how: how(started), figures }
}

const how = ({ sets, releases }: Started) =>
  `${releases.length} kept releases of ${sets} rate sets, without a digest in common, are asked for in turn, while a client ` +
  `requests ${PER_SECOND} quotes of the present release a second at a steady rate. A process keeps eight earlier releases ` +
  'compiled, so each of the ten is read, verified and compiled anew whenever its turn comes.'
