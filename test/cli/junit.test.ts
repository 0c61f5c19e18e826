import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, expect, test } from 'vitest'
import { junitReport } from '../../cli/findings/junit.ts'
import { countsOf } from '../../tools/ci/sum.ts'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-junit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const report = join(folder, 'report.xml')

interface Case {
  '@classname': string
  '@name': string
  failure?: { '@type': string; '@message': string; '#text': string }[]
}
interface Suite {
  '@name': string
  '@tests': string
  '@failures': string
  '@errors': string
  testcase: Case[]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => ['testsuite', 'testcase', 'failure'].includes(name),
})

/** The suites of a report that is well-formed, has what readers of JUnit require, and counts its tests rightly. */
function suitesOf(text: string): Suite[] {
  expect(XMLValidator.validate(text)).toBe(true)
  const { testsuites } = parser.parse(text) as { testsuites: { testsuite: Suite[] } & Omit<Suite, 'testcase'> }
  const failed = ({ testcase }: Suite) => testcase.filter(({ failure }) => failure).length
  for (const suite of testsuites.testsuite) {
    expect(suite).toMatchObject({ '@tests': String(suite.testcase.length), '@failures': String(failed(suite)) })
    expect(suite['@errors']).toBe('0')
    for (const one of suite.testcase) expect([one['@name'], one['@classname']]).not.toContain(undefined)
  }
  const sum = (count: (suite: Suite) => number) =>
    String(testsuites.testsuite.reduce((all, one) => all + count(one), 0))
  expect(testsuites).toMatchObject({ '@tests': sum((one) => one.testcase.length), '@failures': sum(failed) })
  return testsuites.testsuite
}

const VIC = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8')

test('lint writes a JUnit report beside its usual output: a test for each file, which fails with its faults', async () => {
  const file = join(folder, 'fy27.yaml')
  writeFileSync(file, VIC.replace('upTo: "150000"', 'upTo: "90000"'))
  const { status, stdout } = await driveaway(['lint', 'rates/sets/au/fy27.yaml', file, '--junit', report])
  expect(status).toBe(1)
  expect(stdout).toContain('(bands-rise)')
  const text = readFileSync(report, 'utf8')
  const suites = suitesOf(text)
  expect(suites.map((suite) => suite['@name'])).toEqual(expect.arrayContaining(['rates/sets/au/fy27.yaml', file]))
  const failures = suites.find((suite) => suite['@name'] === file)?.testcase[0]?.failure
  expect(failures?.find((one) => one['@type'] === 'bands-rise')).toMatchObject({
    '@message': 'band edge 90000 is not above 100000',
    '#text': expect.stringMatching(new RegExp(`^${file}:\\d+:\\d+: `)) as string,
  })
  expect(countsOf(text).failed).toBe(Number(suites.filter((one) => one['@failures'] !== '0').length))
})

test('test writes a JUnit report: a test for each example and case, which fails with what is not met', async () => {
  const file = join(folder, 'fy27.yaml')
  writeFileSync(file, readFileSync('rates/sets/au/fy27.yaml', 'utf8').replace('"3255.60"', '"3255.61"'))
  const { status } = await driveaway(['test', file, '--junit', report])
  expect(status).toBe(1)
  const failing = suitesOf(readFileSync(report, 'utf8'))[0]!.testcase.filter(({ failure }) => failure)
  expect(failing).toHaveLength(1)
  expect(failing[0]!.failure).toMatchObject([
    { '@type': 'LUXURY_CAR_TAX', '@message': 'LUXURY_CAR_TAX: expected 3255.61, got 3255.60' },
  ])
})

test('test reports the faults of files that cannot be tested', async () => {
  const file = join(folder, 'fy27.yaml')
  writeFileSync(file, VIC.replace('upTo: "150000"', 'upTo: "90000"'))
  expect((await driveaway(['test', file, '--junit', report])).status).toBe(1)
  expect(suitesOf(readFileSync(report, 'utf8'))[0]!['@failures']).toBe('1')
})

test('what XML cannot write, and what it would read otherwise, does not spoil a report', () => {
  const message = 'a "quoted" <b> & \u0007 ]]> \ud800\nnext'
  const text = junitReport('name', [
    { file: 'a&b.yaml', name: '<1>', failures: [{ type: 't', message, text: message }] },
  ])
  const [suite] = suitesOf(text)
  const expected = 'a "quoted" <b> & \ufffd ]]> \ufffd\nnext'
  expect(suite!.testcase[0]!.failure).toEqual([{ '@type': 't', '@message': expected, '#text': expected }])
})
