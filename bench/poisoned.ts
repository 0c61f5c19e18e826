import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { waitFor } from '../test/harness/wait-for.ts'
import { lineOf, quoteOf, tokenOf } from '../test/stack/quotes.ts'
import { applyText, rateSet } from '../test/stack/rate-sets.ts'
import { startStack, type Stack } from '../test/stack/stack.ts'
import { ratioOf, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const TARGET_MS = 2000
const CHANGES = 10
const POLL_MS = 5
const PLATES = '44.20'
const BAD_SET = 'au-qld-fy27'
const BAD_CLIENT = 'poison-b'

/**
 * Changes of valid objects, beside a rate set whose checks never end and a client that names another client's subject.
 */
export async function poisoned(): Promise<Section> {
  const stack = await startStack()
  try {
    const token = await tokenOf(stack, 'dealer')
    await poison(stack)
    const [rates, suspensions]: [number[], number[]] = [[], []]
    for (let run = 0; run < CHANGES; run++) {
      rates.push(await changeOfPlates(stack, token, run % 2 === 0 ? '45.20' : PLATES))
      suspensions.push(await suspend(stack, token))
    }
    return section({
      rates,
      suspensions,
      faults: [await fault(stack, 'rateset', BAD_SET), await fault(stack, 'showroomclient', BAD_CLIENT)],
    })
  } finally {
    await stack.stop()
  }
}

async function poison(stack: Stack): Promise<void> {
  const set = parse(rateSet('au-qld/fy27.yaml')) as { spec: RateSetSpec }
  const classes = [...(set.spec.classes ?? []), { name: 'c0', anyOf: [{ bodyType: ['suv'] }] }]
  for (let at = 1; at <= 22; at++) {
    const before = [`c${at - 1}`]
    classes.push({ name: `c${at}`, anyOf: [{ class: before }, { class: before, bodyType: ['sedan'] }] } as never)
  }
  await applyText(stack, JSON.stringify({ ...set, spec: { ...set.spec, classes } }))
  const credentials = [{ subject: { issuer: 'https://login.example.com/', subject: 'the-same' } }]
  const spec = { displayName: 'Poison', showroomCodes: ['MEL01'], grants: ['pricing:quote'], credentials }
  for (const name of ['poison-a', BAD_CLIENT]) {
    const kind = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
    await applyText(stack, JSON.stringify({ ...kind, metadata: { name }, spec }))
  }
}

async function timed(apply: () => Promise<unknown>, isServed: () => Promise<boolean>): Promise<number> {
  await apply()
  const start = performance.now()
  while (!(await isServed())) {
    if (performance.now() - start > 60_000) throw new Error('not served after a minute')
    await sleep(POLL_MS)
  }
  return performance.now() - start
}

function changeOfPlates(stack: Stack, token: string, plates: string): Promise<number> {
  const file = 'au-vic/fy27.yaml'
  const text = plates === PLATES ? rateSet(file) : rateSet(file, [new RegExp(PLATES.replace('.', '\\.'), 'g'), plates])
  const isServed = async () => lineOf(await quoteOf(stack, token), 'PLATES') === Math.round(Number(plates) * 100)
  return timed(() => applyText(stack, text), isServed)
}

/** Suspends the demo client and lifts the suspension; returns the time of the suspension. */
async function suspend(stack: Stack, token: string): Promise<number> {
  const patch = (suspended: boolean) => {
    const change = JSON.stringify({ spec: { suspended } })
    return stack.kubectl(['patch', 'showroomclient', 'dealer', '--type', 'merge', '-p', change])
  }
  const answers = (status: number) => async () => (await quoteOf(stack, token)).status === status
  const took = await timed(() => patch(true), answers(403))
  await timed(() => patch(false), answers(200))
  return took
}

/** The status of an invalid object, once its present generation is refused. */
function fault(stack: Stack, kind: string, name: string): Promise<string> {
  return waitFor(`${name} to be refused`, async () => {
    const object = JSON.parse(await stack.kubectl(['get', kind, name, '-o', 'json'])) as {
      status?: { conditions: { type: string; status: string; message: string }[] }
    }
    const ready = object.status?.conditions.find(({ type }) => type === 'Ready')
    return ready?.status === 'False' ? `${name}: ${ready.message}` : ''
  })
}

function section({
  rates,
  suspensions,
  faults,
}: {
  rates: number[]
  suspensions: number[]
  faults: string[]
}): Section {
  const comparedWith = `${TARGET_MS / 1000} s`
  const figure = (what: string, times: readonly number[]) => {
    const ms = percentile(times, 95)
    const of = { measured: `${ms.toFixed(0)} ms`, ratio: ratioOf(ms, TARGET_MS), comparedWith }
    return { what, ...of, target: `at most 1 (${comparedWith})`, met: ms < TARGET_MS }
  }
  return {
    title: 'Good changes beside bad objects',
    how:
      'The whole stack, with a rate set whose 22 classes each double the number of tests and with a client that claims the ' +
      `subject of another client; ${CHANGES} changed figures and ${CHANGES} suspensions of other objects, timed from the end of kubectl ` +
      `to the first answer with the change. The statuses of the bad objects: ${faults.map((each) => `\`${each}\``).join('; ')}.`,
    figures: [figure('a changed figure, p95', rates), figure('a suspension, p95', suspensions)],
  }
}
