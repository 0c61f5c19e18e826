import { serverNames } from './catalog.ts'
import { ensureBinary } from './ensure.ts'

const asked = process.argv.slice(2)

// One after the other: two Go builds at once take longer, and share most of their packages.
try {
  for (const name of asked.length > 0 ? asked : serverNames) {
    process.stdout.write(`${name} ${await ensureBinary(name)}\n`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
