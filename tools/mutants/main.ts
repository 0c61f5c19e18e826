import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { readEquivalents, type Equivalent } from './equivalents.ts'
import { label, setsAndCases } from './sets.ts'
import type { Outcome } from './worker.ts'

/*
 * `make mutants`: makes every mistake of mutations.ts in every rate set, one at a time, and counts what finds it. SETS names
 * some of them, such as `AU_VIC-2027,AU-2026`. Ends with 1 where a mutant survives that equivalents.yaml does not explain.
 */
const wanted = process.env['SETS'] ? process.env['SETS'].split(',') : undefined
const { proofs } = setsAndCases()
const names = proofs.map(({ spec }) => label(spec)).filter((name) => wanted?.includes(name) ?? true)
const equivalents = readEquivalents()
const used = new Set<Equivalent>()
const counts = { mutants: 0, checks: 0, examples: 0, cases: 0, equivalent: 0, survivors: 0 }

function take(outcome: Outcome): void {
  counts.mutants++
  if (outcome.killer !== 'survived') return void counts[outcome.killer]++
  if (outcome.proved) return void counts.equivalent++
  const known = equivalents.find(({ set, path, operator }) =>
    [set.test(outcome.set), path.test(outcome.path), operator.test(outcome.operator)].every(Boolean),
  )
  if (known) {
    used.add(known)
    counts.equivalent++
    return
  }
  counts.survivors++
  process.stdout.write(`survivor: ${outcome.set} ${outcome.path}: ${outcome.operator}, was ${outcome.was}\n`)
}

/** One process takes one set after the other until none is left. */
async function work(): Promise<void> {
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const started = performance.now()
    const before = counts.mutants
    const child = spawn(process.execPath, [new URL('worker.ts', import.meta.url).pathname, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    for await (const line of createInterface({ input: child.stdout })) take(JSON.parse(line) as Outcome)
    if ((await ended) !== 0) throw new Error(`the mutants of ${name} could not be judged`)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    process.stderr.write(`${name}: done in ${seconds} s, ${counts.mutants - before} mutants meanwhile\n`)
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
for (const each of equivalents)
  if (!wanted && !used.has(each)) {
    counts.survivors++
    process.stdout.write(`equivalents.yaml line ${each.line}: no mutant is like this any more; delete the entry\n`)
  }
const { mutants, checks, examples, cases, equivalent, survivors } = counts
process.stdout.write(
  `${mutants} mutants, killed by checks ${checks}, examples ${examples}, cases ${cases}, equivalent ${equivalent}, survivors ${survivors}\n`,
)
process.exitCode = survivors > 0 ? 1 : 0
