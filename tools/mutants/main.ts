import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { readEquivalents } from './equivalents.ts'
import type { Outcome } from './outcomes.ts'
import { label, productSets } from './sets.ts'
import { createTally } from './tally.ts'

/*
 * `make mutants`: makes each mistake of mutations.ts in each rate set, one at a time, and counts what detects it. SETS
 * selects sets, such as `AU_VIC-2027,AU-2026`. Exits with 1 if a mutant survives that equivalents.yaml does not
 * explain.
 */
const chosenSets = process.env['SETS'] ? process.env['SETS'].split(',') : undefined
const names = productSets()
  .map(label)
  .filter((name) => chosenSets?.includes(name) ?? true)
const tally = createTally(readEquivalents())
const print = (lines: readonly string[]) => lines.forEach((line) => process.stdout.write(`${line}\n`))

/** Each process takes one set after another until none is left. */
async function work(): Promise<void> {
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const started = performance.now()
    const before = tally.mutants
    const child = spawn(process.execPath, [new URL('worker.ts', import.meta.url).pathname, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    for await (const line of createInterface({ input: child.stdout })) print(tally.take(JSON.parse(line) as Outcome))
    if ((await ended) !== 0) throw new Error(`the mutants of ${name} could not be judged`)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    process.stderr.write(`${name}: done in ${seconds} s, ${tally.mutants - before} mutants meanwhile\n`)
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
print(tally.takeStale())
print([tally.summary()])
process.exitCode = tally.survivors > 0 ? 1 : 0
