import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { measureRequests, type Measured } from './http/load.ts'
import { startPricing } from './http/servers.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { measured } from './requests.ts'
import { percentile } from './rounds.ts'

const PROCESSES = 3
/** Requests until the processor time of a request is that of a process that has run for long. */
const UNTIL_STEADY = 30_000
const STEADY_ROUNDS = 3
const STEADY_REQUESTS = 8_000
const TARGET = 0.9
const WITHIN_SECONDS = 10

/** The speed of a process that has just become ready, compared with its own speed later. */
export async function justReady(): Promise<Section> {
  const processes: Process[] = []
  for (let number = 0; number < PROCESSES; number++) processes.push(await measureProcess())
  const median = (of: (one: Process) => number) => percentile(processes.map(of), 50)
  const steadyUs = median(({ steady }) => steady)
  const shares: [string, (one: Process) => number, boolean][] = [
    ['the first second', ({ seconds }) => seconds[0]!.cpuUs, false],
    ['the second second', ({ seconds }) => seconds[1]!.cpuUs, false],
    [`the ${WITHIN_SECONDS}th second`, ({ seconds }) => seconds.at(-1)!.cpuUs, true],
  ]
  const figures = shares.map(([what, of, hasTarget]): Figure => {
    const share = median((one) => one.steady / of(one))
    return {
      what: `quotes for a second of processor time, in ${what} after it became ready`,
      measured: `${median(of).toFixed(0)} µs a request; later ${steadyUs.toFixed(0)} µs`,
      comparedWith: 'the same process later',
      ratio: ratioOf(share, 1),
      target: hasTarget ? `${TARGET} or more` : '',
      met: hasTarget ? share >= TARGET : null,
    }
  })
  return { title: 'A process that has just become ready', how, figures }
}

const how =
  'The API program with the committed rate sets: 32 connections send quotes from the moment at which `/readyz` first answers ' +
  `200, for ${WITHIN_SECONDS} seconds; then ${UNTIL_STEADY.toLocaleString('en')} more requests, and the median of ${STEADY_ROUNDS} rounds of ` +
  `${STEADY_REQUESTS.toLocaleString('en')}. Compared by processor time, which other work on the machine changes less than the rate; the ` +
  `median of ${PROCESSES} processes.`

interface Process {
  seconds: Measured[]
  /** Processor time of a request, in µs, at the end. */
  steady: number
}

async function measureProcess(): Promise<Process> {
  const folder = temporaryDirectory('bench')
  const server = await startPricing(folder.path)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` }
  const load = { path: '/v1/quote', body: JSON.stringify(measured) }
  try {
    const seconds: Measured[] = []
    for (let second = 0; second < WITHIN_SECONDS; second++) {
      seconds.push(await measureRequests(server, load, { headers, seconds: 1 }))
    }
    await measureRequests(server, load, { headers, amount: UNTIL_STEADY })
    const rounds: number[] = []
    for (let round = 0; round < STEADY_ROUNDS; round++) {
      rounds.push((await measureRequests(server, load, { headers, amount: STEADY_REQUESTS })).cpuUs)
    }
    return { seconds, steady: percentile(rounds, 50) }
  } finally {
    await server.stop()
    folder.remove()
  }
}
