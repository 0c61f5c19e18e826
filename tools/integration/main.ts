import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { writeEvaluatorPackage } from '../evaluator/build.ts'
import { writeClientPackage } from './client-package.ts'
import { collectionOf, type ApiDocument } from './collection.ts'

// Writes the packages for integrators: from the OpenAPI documents a typed client and collections for API clients; and
// the evaluator.
const into = resolve(process.argv[2] ?? 'dist')
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const documentOf = (name: string) => parse(readFileSync(`api/${name}/openapi.yaml`, 'utf8')) as ApiDocument
const sources = ['pricing', 'inventory'].map((name) => ({ name, document: documentOf(name) }))

mkdirSync(into, { recursive: true })
for (const { name, document } of sources) {
  const file = join(into, `driveaway-${name}.postman_collection.json`)
  writeFileSync(file, `${JSON.stringify(collectionOf(document), null, 2)}\n`)
  console.log(file)
}
const folder = mkdtempSync(join(tmpdir(), 'driveaway-packages-'))
try {
  console.log(await writeClientPackage(sources, { folder: join(folder, 'client'), version, into }))
  console.log(await writeEvaluatorPackage(thisEngine(), { folder: join(folder, 'evaluator'), into }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
