import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countsOf, failures, sum } from '../../tools/ci/sum.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

const REPORT = `<?xml version="1.0"?>
<testsuites name="vitest tests" tests="4" failures="1">
  <testsuite name="a.test.ts" tests="4">
    <testcase classname="a" name="one" time="0.1"/>
    <testcase classname="a" name="two &gt; &lt;failure&gt;" time="0.1">
    </testcase>
    <testcase classname="a" name="a &quot;>&quot; b" time="0.1">
      <failure message="expected 1 to be 2" type="AssertionError">at &lt;skipped/&gt;</failure>
    </testcase>
    <testcase classname="a" name="four" time="0"><skipped/></testcase>
  </testsuite>
</testsuites>`

function reports(files: Record<string, string>): string {
  const folder = temporaryDirectory('reports')
  onTestFinished(() => folder.remove())
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text)
  return folder.path
}

test('a report is counted test by test, whatever their names hold', () => {
  expect(countsOf(REPORT)).toEqual({ passed: 2, failed: 1, skipped: 1 })
})

test('the reports of all suites are summed', () => {
  const folder = reports({ 'test.xml': REPORT, 'contract.pricing.xml': REPORT, 'other.xml': REPORT })
  const suites = [
    { name: 'test', hasPassed: false },
    { name: 'contract', hasPassed: false },
  ]
  expect(sum(folder, suites)).toEqual({ passed: 4, failed: 2, skipped: 2 })
})

test('the failed tests are named with their faults, in plain characters', () => {
  const folder = reports({
    'test.xml': REPORT.replace('expected 1', 'expected &lt;&#x41;&#10;\n&#66;&gt; &unknown;'),
    'other.xml': REPORT,
  })
  expect(failures(folder, [{ name: 'test' }])).toEqual(['test: a · a ">" b: expected <A B> &unknown; to be 2'])
})

test('a suite that broke before its first test, and one that ran none, count as failures', () => {
  const folder = reports({ 'empty.xml': '<testsuites/>' })
  const suites = [
    { name: 'test', hasPassed: false },
    { name: 'empty', hasPassed: true },
  ]
  expect(sum(folder, suites)).toEqual({ passed: 0, failed: 2, skipped: 0 })
})
