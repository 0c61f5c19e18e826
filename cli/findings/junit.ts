import { describeFault, type LocatedFault } from '#rates/files/located.ts'

/** One test of a JUnit report and its failures; a test that passed has none. */
export interface ReportedTest {
  file: string
  name: string
  failures: { type: string; message: string; text: string }[]
}

/** A JUnit report as CI systems read it, with one suite per file. */
export function junitReport(name: string, tests: readonly ReportedTest[]): string {
  const suites = Map.groupBy(tests, ({ file }) => file)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name, ...countsOf(tests) })}>`,
    ...[...suites].flatMap(([file, own]) => [
      `  <testsuite ${attributes({ name: file, file, ...countsOf(own) })}>`,
      ...own.flatMap(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>\n',
  ].join('\n')
}

function countsOf(tests: readonly ReportedTest[]) {
  const failed = tests.filter(({ failures }) => failures.length > 0).length
  return { tests: tests.length, failures: failed, errors: 0 }
}

function testCase({ file, name, failures }: ReportedTest): string[] {
  const tag = `    <testcase ${attributes({ classname: file, name })}`
  if (failures.length === 0) return [`${tag}/>`]
  const told = failures.map(({ text, ...rest }) => `      <failure ${attributes(rest)}>${escaped(text)}</failure>`)
  return [`${tag}>`, ...told, '    </testcase>']
}

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(' ')

/** Characters that XML 1.0 cannot represent become U+FFFD; a line break in an attribute is kept. */
function escaped(text: string): string {
  const writable = text.toWellFormed().replace(/[\0-\b\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
  return writable.replace(/[&<>"\n\r\t]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Each file as a test that fails with its faults. A file that was not named is included when it has a fault. */
export function testedFiles(named: readonly { file: string }[], faults: readonly LocatedFault[]): ReportedTest[] {
  const files = new Set([...named.map(({ file }) => file), ...faults.map(({ file }) => file)])
  return [...files].map((file) => {
    const own = faults.filter((fault) => fault.file === file)
    const failures = own.map((fault) => ({ type: fault.check, message: fault.message, text: describeFault(fault) }))
    return { file, name: 'lint', failures }
  })
}
