import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { keepQuoting, quoteOf, sedan, tokenOf, type Answer } from './quotes.ts'
import { applyText, rateSet, untilCondition } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

/**
 * Luxury car tax reads a threshold of a new name, and the old name gets an amount invented for this test: right for the
 * federal examples, and wrong for the Victorian duty, whose first edge is read from it.
 */
const federal = () =>
  rateSet(
    'au/fy27.yaml',
    [/\bLCT_THRESHOLD\b/g, 'GENERAL_THRESHOLD'],
    [
      '  parameters:\n',
      `  parameters:
    - name: LCT_THRESHOLD
      unit: AUD
      values: [{ value: "70000", evidence: secondary, sources: [hales-douglass] }]
`,
    ],
    ['name: Luxury car tax\n', 'name: Luxury car tax by the new name\n'],
  )
/** What Victoria needs then, with a fee that tells the two contents apart. */
const victorian = () =>
  rateSet('au-vic/fy27.yaml', [/AU\/LCT_THRESHOLD/g, 'AU/GENERAL_THRESHOLD'], [/44\.20/g, '45.20'])

const luxury = { ...sedan, pricingInputs: { dutiable: [{ description: 'Car', value: 9_000_000, kind: 'vehicle' }] } }
/** What a quote shows of the two sets: the federal name and the Victorian fee. */
function contents({ status, body }: Answer): string {
  if (status !== 200) return `${status} ${JSON.stringify(body)}`
  const line = (wanted: string) => body.categories.onRoad.find(({ component }) => component === wanted)
  return `${line('LUXURY_CAR_TAX')?.description}, ${line('PLATES')?.value}`
}
const OLD = 'Luxury car tax, 4420'
const NEW = 'Luxury car tax by the new name, 4520'

let stack: Stack
let token: string

beforeAll(async () => {
  stack = await startStack()
  token = await tokenOf(stack, 'dealer')
})
afterAll(() => stack?.stop())

const untilServed = (wanted: string) =>
  waitFor(wanted, async () => contents(await quoteOf(stack, token, luxury)) === wanted)

/** Brings both sets to one of their two contents, whatever was served before. */
async function serve(wanted: typeof OLD | typeof NEW): Promise<void> {
  for (const text of wanted === OLD ? [rateSet('au/fy27.yaml'), rateSet('au-vic/fy27.yaml')] : [federal(), victorian()])
    await applyText(stack, text)
  for (const name of ['au-fy27', 'au-vic-fy27']) await untilCondition(stack, name, 'Ready', 'True')
  await untilServed(wanted)
}

test('a federal change that breaks a Victorian example is held, and goes live in one flip with the fitting Victorian change', async () => {
  await serve(OLD)
  const quoting = keepQuoting(stack, token, luxury)
  await applyText(stack, federal())
  const held = await untilCondition(stack, 'au-fy27', 'Ready', 'False')
  expect(held).toMatchObject({ reason: 'BreaksImporter', message: expect.stringContaining('au-vic-fy27') as string })
  await untilServed(OLD)

  await applyText(stack, victorian())
  await untilCondition(stack, 'au-fy27', 'Ready', 'True')
  await untilServed(NEW)
  expect([...new Set((await quoting.stop()).map(contents))]).toEqual([OLD, NEW])
})

test('the other way round, a Victorian change waits for the federal one that it needs, and again there is one flip', async () => {
  await serve(NEW)
  const quoting = keepQuoting(stack, token, luxury)
  // The old Victorian content needs the old amount under the old name.
  await applyText(stack, rateSet('au-vic/fy27.yaml'))
  await untilCondition(stack, 'au-vic-fy27', 'Ready', 'False')
  await untilServed(NEW)

  await applyText(stack, rateSet('au/fy27.yaml'))
  await untilCondition(stack, 'au-vic-fy27', 'Ready', 'True')
  await untilServed(OLD)
  expect([...new Set((await quoting.stop()).map(contents))]).toEqual([NEW, OLD])
})
