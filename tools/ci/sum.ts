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

/** A test case with its attributes and, unless its tag is self-closing, its content, whose text is escaped. */
const TEST_CASE = /<testcase\b((?:"[^"]*"|[^">])*)>(?:(?<!\/>)([\s\S]*?)<\/testcase>)?/g

/**
 * The sum of the reports in a folder, named `<suite>*.xml`. A suite that exited with an error counts at least one
 * failure, and so does one that passed without any test: it showed nothing.
 */
export function sum(folder: string, suites: readonly { name: string; hasPassed: boolean }[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { name, hasPassed } of suites) {
    const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && file.endsWith('.xml'))
    const counts = files.map((file) => countsOf(readFileSync(join(folder, file), 'utf8')))
    const failed = counts.reduce((all, each) => all + each.failed, 0)
    const passed = counts.reduce((all, each) => all + each.passed, 0)
    total.passed += passed
    total.skipped += counts.reduce((all, each) => all + each.skipped, 0)
    total.failed += failed === 0 && (!hasPassed || passed === 0) ? 1 : failed
  }
  return total
}
