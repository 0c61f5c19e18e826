import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The counts of a JUnit report, from its test cases. */
export function countsOf(report: string): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const [, attributes = '', content = ''] of report.matchAll(TEST_CASE)) {
    if (attributes.endsWith('/')) counts.passed++
    else if (/<(failure|error)[\s/>]/.test(content)) counts.failed++
    else if (/<skipped[\s/>]/.test(content)) counts.skipped++
    else counts.passed++
  }
  return counts
}

/** Characters of a fault that are shown. */
const MOST_SHOWN = 500

/** The failed tests of a JUnit report: file or class, name and fault, one line each. */
export function failuresOf(report: string): string[] {
  return [...report.matchAll(TEST_CASE)].flatMap(([, attributes = '', content = '']) => {
    const [, , fault = ''] = /<(failure|error)\b((?:"[^"]*"|[^">])*)>/.exec(content) ?? []
    if (fault === '') return []
    const [place, name] = [attribute(attributes, 'classname'), attribute(attributes, 'name')]
    return [`${place} · ${name}: ${attribute(fault, 'message').replace(/\s+/g, ' ').slice(0, MOST_SHOWN)}`]
  })
}

const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole
    return String.fromCodePoint(parseInt((hex ?? decimal) as string, hex === undefined ? 10 : 16))
  })

/** A test case with its attributes and, unless its tag is self-closing, its content, whose text is escaped. */
const TEST_CASE = /<testcase\b((?:"[^"]*"|[^">])*)>(?:(?<!\/>)([\s\S]*?)<\/testcase>)?/g

/** The reports of a suite in a folder: `<suite>.xml`, or one for each part, such as `contract.pricing.xml`. */
const reportsOf = (folder: string, suite: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`${suite}.`) && file.endsWith('.xml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))

/** The failed tests of all suites. */
export const failures = (folder: string, suites: readonly { name: string }[]): string[] =>
  suites.flatMap(({ name }) =>
    reportsOf(folder, name).flatMap((report) => failuresOf(report).map((one) => `${name}: ${one}`)),
  )

/**
 * The sum of the reports in a folder. A suite that exited with an error counts at least one
 * failure, and so does one that passed without any test: it showed nothing.
 */
export function sum(folder: string, suites: readonly { name: string; hasPassed: boolean }[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { name, hasPassed } of suites) {
    const counts = reportsOf(folder, name).map(countsOf)
    const failed = counts.reduce((all, each) => all + each.failed, 0)
    const passed = counts.reduce((all, each) => all + each.passed, 0)
    total.passed += passed
    total.skipped += counts.reduce((all, each) => all + each.skipped, 0)
    total.failed += failed === 0 && (!hasPassed || passed === 0) ? 1 : failed
  }
  return total
}
