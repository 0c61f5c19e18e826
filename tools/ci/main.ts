import { failures, sum } from './sum.ts'

// Called with the folder of the reports, and `<suite>=<exit code>` for each suite that ran.
const [folder = '', ...ended] = process.argv.slice(2)
const suites = ended.map((each) => {
  const [name = '', code] = each.split('=')
  return { name, hasPassed: code === '0' }
})
// Again at the end: the faults themselves stand far above.
for (const failure of failures(folder, suites)) process.stdout.write(`FAILED ${failure}\n`)
const { passed, failed, skipped } = sum(folder, suites)
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = failed > 0 ? 1 : 0
