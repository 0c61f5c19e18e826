import { outcomesOf } from './outcomes.ts'
import { proofOf } from './sets.ts'

for (const outcome of outcomesOf(proofOf(process.argv[2] ?? ''))) process.stdout.write(`${JSON.stringify(outcome)}\n`)
