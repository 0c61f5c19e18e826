import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { copyRates, makeMistake, type Shown } from './make-mistake.ts'
import { mistakes, type Mistake } from './mistakes.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))
const copies = copyRates(folder, ['au', 'au-act', 'au-vic'])

const shown = new Map<Mistake, Promise<Shown>>()

/** What shows a mistake. Each is made once, by the test that asks first: the page needs them all. */
function shownOf(mistake: Mistake): Promise<Shown> {
  const known = shown.get(mistake) ?? makeMistake(mistake, copies)
  shown.set(mistake, known)
  return known
}

const named = mistakes.map((each) => [each.shownBy, each.what, each] as const)

test.each(named)('%s shows: %s', { timeout: 300_000 }, async (_, __, mistake) => {
  const { by, line } = await shownOf(mistake)
  expect(by).toBe(mistake.shownBy)
  expect(line).toContain(mistake.message)
})

const COMMANDS = [
  [
    'lint',
    '`driveaway lint`: the checks of the operator, including the worked examples, and the checks of the file itself',
  ],
  ['test', '`driveaway test`: the cases of the law in `rates/cases`'],
  ['diff', '`driveaway diff`: only a reviewer can notice these mistakes, in the words of the diff'],
] as const

// Without line and column, which a figure that is added above would move.
const placeless = (line: string) => line.replace(/\.yaml:\d+:\d+:/, '.yaml:')

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\u00a0', ' ')

type Found = Shown & Pick<Mistake, 'what'>

function section([command, title]: (typeof COMMANDS)[number], found: readonly Found[]): string {
  const rows = found
    .filter(({ by }) => by === command)
    .map(({ what, line }) => `| ${cell(what)} | ${cell(placeless(line))} |`)
  return [`## ${title}`, '', '| mistake | message |', '|---|---|', ...rows].join('\n')
}

// Its expected text is the page itself; `vitest run test/cli/mistakes.test.ts -u` writes it anew.
test('the page of mistakes is what the commands say', { timeout: 600_000 }, async () => {
  const found: Found[] = []
  // One at a time: all are made in one copy.
  for (const mistake of mistakes) found.push({ what: mistake.what, ...(await shownOf(mistake)) })
  expect(found.map(({ by }) => by)).not.toContain('nothing')
  const page = [
    '# Typical mistakes, and the commands that find them',
    '`test/cli/mistakes.test.ts` generates this page: the test makes one mistake at a time in a copy of `rates/sets`, and runs the commands in this order until one of them finds the mistake. The test fails when no command finds it. `driveaway lint` also prints the line and the column.',
    ...COMMANDS.map((command) => section(command, found)),
  ]
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../../docs/mistakes.md')
})
