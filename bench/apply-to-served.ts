import { setTimeout as sleep } from 'node:timers/promises'
import { lineOf, quoteOf, tokenOf } from '../test/stack/quotes.ts'
import { applyText, rateSet } from '../test/stack/rate-sets.ts'
import { startStack, type Stack } from '../test/stack/stack.ts'
import { ratioOf, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const TARGET_MS = 1000
const APPLIES = 20
const POLL_MS = 5
const GIVE_UP_MS = 60_000
const FILE = 'au-vic/fy27.yaml'
const PLATES = '44.20'

/** The time from `kubectl apply` of a changed figure to the first quote with that figure, through the whole stack. */
export async function applyToServed(): Promise<Section> {
  const stack = await startStack()
  try {
    const token = await tokenOf(stack, 'dealer')
    const times: { whole: number; applied: number }[] = []
    for (let run = 0; run < APPLIES; run++) times.push(await once(stack, token, run % 2 === 0 ? '45.20' : PLATES))
    return section(times)
  } finally {
    await stack.stop()
  }
}

/** Milliseconds from the start of kubectl to the figure, and from the end of kubectl. */
async function once(stack: Stack, token: string, plates: string): Promise<{ whole: number; applied: number }> {
  const text = plates === PLATES ? rateSet(FILE) : rateSet(FILE, [new RegExp(PLATES.replace('.', '\\.'), 'g'), plates])
  const start = performance.now()
  const applying = applyText(stack, text).then(() => performance.now())
  const cents = Math.round(Number(plates) * 100)
  while (lineOf(await quoteOf(stack, token), 'PLATES') !== cents) {
    if (performance.now() - start > GIVE_UP_MS) throw new Error(`${plates} was not served after ${GIVE_UP_MS} ms`)
    await sleep(POLL_MS)
  }
  const served = performance.now()
  return { whole: served - start, applied: served - (await applying) }
}

function section(times: { whole: number; applied: number }[]): Section {
  const whole = times.map((each) => each.whole)
  const [p50, p95] = [percentile(whole, 50), percentile(whole, 95)]
  const applied = percentile(
    times.map((each) => each.applied),
    50,
  )
  const comparedWith = `${TARGET_MS / 1000} s`
  const of = (ms: number) => ({ measured: `${ms.toFixed(0)} ms`, ratio: ratioOf(ms, TARGET_MS), comparedWith })
  return {
    title: 'From kubectl apply to a quote',
    how:
      'kubectl applies a changed figure of the Victorian set to a real kube-apiserver, and the real programs check, publish and ' +
      `load the set; ${APPLIES} times, timed from the start of kubectl to the first quote with the new figure.`,
    figures: [
      { what: 'the median', ...of(p50), target: '', met: null },
      { what: 'p95', ...of(p95), target: `at most 1 (${comparedWith})`, met: p95 < TARGET_MS },
      { what: 'the median from the end of kubectl', ...of(applied), target: '', met: null },
    ],
  }
}
