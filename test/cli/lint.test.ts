import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

const VIC = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8')

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const lineOf = (text: string, part: string) => text.split('\n').findIndex((one) => one.includes(part)) + 1

const falling = VIC.replace('upTo: "150000"', 'upTo: "90000"')

test('lint says how much it looked at when there are no faults', async () => {
  const { status, stdout } = await driveaway(['lint', 'rates/sets/au', 'rates/cases/au'])
  const files = readdirSync('rates/cases/au').length
  expect(stdout).toMatch(new RegExp(`^3 rate sets, \\d+ examples, ${files} files of cases, no faults\\n$`))
  expect(status).toBe(0)
})

test('lint prints file, line, column, path and message of a fault, and the line with a caret under it', async () => {
  const file = written('falling.yaml', falling)
  const line = lineOf(falling, 'upTo: "90000"')
  const { status, stdout } = await driveaway(['lint', file])
  const [head, source, caret] = stdout.split('\n')
  expect(head).toMatch(
    new RegExp(
      `^${file}:${line}:\\d+: spec\\.rules\\[0\\]\\.cases\\[3\\]\\.charge\\.bands\\[1\\]\\.upTo: band edge 90000 is not above 100000 \\(bands-rise\\)$`,
    ),
  )
  expect(source).toMatch(new RegExp(`^ +${line} \\| .*upTo: "90000"`))
  expect(caret!.indexOf('^')).toBe(source!.indexOf('upTo'))
  expect(status).toBe(1)
})

test('lint names a tab, which YAML refuses in other words', async () => {
  const file = written('tab.yaml', VIC.replace('\n  zones:', '\n\tzones:'))
  const { stdout } = await driveaway(['lint', file])
  expect(stdout).toContain(`${file}:${lineOf(VIC, '  zones:')}:1: a tab; expected spaces (no-tabs)`)
  expect(stdout).toContain('→zones:')
  expect(stdout).not.toContain('(yaml)')
})

test('lint counts a file that is not YAML among the others, and says nothing else about it', async () => {
  const file = written('bracket.yaml', VIC.replace('s218.html"\n', 's218.html" ]\n'))
  const { status, stdout, stderr } = await driveaway(['lint', file])
  expect(stdout).toContain(`${file}:${lineOf(VIC, 's218.html')}:`)
  expect(stderr).toMatch(/^1 fault in 1 rate set, 0 examples\n$/)
  expect(status).toBe(1)
})

test('lint frames each of 60,000 faults of one file', async () => {
  const anchors = Array.from({ length: 60_000 }, (_, at) => `  - &a${at} x\n`).join('')
  const { status, stdout } = await driveaway(['lint', written('anchors.yaml', `spec:\n${anchors}`)])
  expect(stdout.match(/ \| .*- &a\d+ x$/gm)).toHaveLength(60_000)
  expect(status).toBe(1)
})

test('lint names what a file shows and an object of a cluster does not', async () => {
  const twice = VIC.replace('      gst: none\n', '      gst: none\n      gst: none\n')
  expect((await driveaway(['lint', written('twice.yaml', twice)])).stdout).toContain('(duplicate-key)')
  const unseen = VIC.replace('Value of a fee unit', 'Value of a\u00a0fee unit')
  expect((await driveaway(['lint', written('unseen.yaml', unseen)])).stdout).toContain('U+00A0')
  expect((await driveaway(['lint', written('fy26.yaml', VIC)])).stdout).toContain(
    'expected a rate set of FY26 (file-name)',
  )
})

test('lint checks the sets beside one that import it', async () => {
  const federal = readFileSync('rates/sets/au/fy27.yaml', 'utf8')
  const file = written(
    'au.yaml',
    federal.replaceAll('LCT_THRESHOLD_FUEL_EFFICIENT', 'LCT_EFFICIENT').replaceAll('LCT_THRESHOLD', 'LCT_LIMIT'),
  )
  const { status, stdout } = await driveaway(['lint', file])
  expect(stdout).toMatch(/rates\/sets\/au-vic\/fy27\.yaml:\d+:\d+: .*LCT_THRESHOLD/)
  expect(status).toBe(1)
})

test('lint refuses an example that fails, with the figure it got', async () => {
  const text = readFileSync('rates/sets/au/fy27.yaml', 'utf8').replace('"3255.60"', '"3255.61"')
  expect((await driveaway(['lint', written('au27.yaml', text)])).stdout).toContain(
    'LUXURY_CAR_TAX is 3255.60, expected 3255.61 (examples-pass)',
  )
})

test('lint finds the faults of cases', async () => {
  const file = written(
    'cases.yaml',
    'pricingCode: AU_VIC\ncases:\n  - { name: a, source: b, request: {}, expect: { CTP: 5 } }\n',
  )
  const { stdout } = await driveaway(['lint', file])
  expect(stdout).toContain(`${file}:3:`)
  expect(stdout).toContain('5 is not quoted; quote it: "5" (quoted)')
})

test('lint writes annotations for a pull request, with what the runner would misread escaped', async () => {
  const [line] = (await driveaway(['lint', written('falling.yaml', falling), '--format', 'github'])).stdout.split('\n')
  expect(line).toMatch(/^::error file=.*falling\.yaml,line=\d+,col=\d+,title=bands-rise::spec\.rules/)
})

test('lint writes SARIF 2.1.0', async () => {
  const file = written('falling.yaml', falling)
  const log = JSON.parse((await driveaway(['lint', file, '--format', 'sarif'])).stdout) as {
    version: string
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: object[] }]
  }
  expect(log.version).toBe('2.1.0')
  expect(log.runs[0].tool.driver.rules).toEqual([{ id: 'bands-rise', shortDescription: { text: 'bands rise' } }])
  const region = { startLine: lineOf(falling, 'upTo: "90000"'), startColumn: 19 }
  expect(log.runs[0].results).toMatchObject([
    { ruleId: 'bands-rise', locations: [{ physicalLocation: { artifactLocation: { uri: file }, region } }] },
  ])
})

test('lint of a path that is not there is a wrong call', async () => {
  expect(await driveaway(['lint', 'no-such-folder'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('there is no no-such-folder') as string,
  })
})

test('lint accepts a set that is withdrawn, with its examples: nothing of it is published', async () => {
  const file = written('withdrawn.yaml', VIC.replace('\nspec:\n', '\nspec:\n  withdrawn: true\n'))
  const { status, stdout } = await driveaway(['lint', file])
  expect(stdout).toMatch(/no faults\n$/)
  expect(status).toBe(0)
})
