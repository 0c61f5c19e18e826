import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { bundleOf, newReleaseKey } from '../rates/release/signed-bundle.ts'
import { builtEvaluator } from './built.ts'

// The package as it is installed: its size, its types, and its answers in the Node of this test and in an older one.
const folder = temporaryDirectory('evaluator')
let built: Awaited<ReturnType<typeof builtEvaluator>>
beforeAll(async () => void (built = await builtEvaluator(folder.path)), 240_000)
afterAll(() => folder.remove())

const request = JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as object

const PROGRAM = `
import { readFileSync } from 'node:fs'
import { openBundle, type Quote, type QuoteRequest, type ReleaseKey } from '@driveaway/evaluator'

const [bundle = '', keys = '', file = ''] = process.argv.slice(2)
const evaluator = await openBundle(new Uint8Array(readFileSync(bundle)), JSON.parse(keys) as ReleaseKey[])
const answer: Quote = evaluator.quote(JSON.parse(readFileSync(file, 'utf8')) as QuoteRequest)
const { rules } = await evaluator.rules({ pricingCode: 'AU_VIC', date: '2026-08-10' })
const { changes } = await evaluator.changes({ from: '2026-07-01', to: '2026-07-01', pricingCode: 'AU_VIC' })
console.log(JSON.stringify([answer.totals.driveAway, evaluator.isSameEngine, rules.length > 5, changes.length > 5]))
`

test('what a page needs to quote has at most 27 KiB with gzip, and nothing of a package', () => {
  const index = readFileSync(join(built.lib, 'index.js'))
  expect(gzipSync(index, { level: 9 }).length).toBeLessThanOrEqual(27 * 1024)
  // Why a set cannot be compiled is left out: one that was published can be.
  expect(index.toString('utf8')).not.toMatch(/there is no basis|no rule gives a line/)
  // Static imports would be loaded with it.
  expect(index.toString('utf8')).not.toMatch(/(?:from|import)\s*["']/)
  const manifest = JSON.parse(readFileSync(join(built.installed, 'package.json'), 'utf8')) as object
  expect(manifest).not.toHaveProperty('dependencies')
  for (const name of ['index', 'target', 'reports', 'follower'])
    expect(readFileSync(join(built.lib, `${name}.js`), 'utf8')).not.toMatch(/node:|typebox|Map\.groupBy/)
})

test('a program of whoever installs it compiles, runs and quotes, in Node 20 too where there is one', { timeout: 300_000 }, async () => {
  const program = join(folder.path, 'user/program.ts')
  writeFileSync(program, PROGRAM)
  writeFileSync(join(folder.path, 'user/package.json'), '{"type":"module"}')
  expect(compile(program)).toEqual([])
  const { signs, published } = await newReleaseKey()
  writeFileSync(join(folder.path, 'bundle'), await bundleOf(signs))
  const args = [join(folder.path, 'user/program.js'), join(folder.path, 'bundle'), JSON.stringify([published])]
  for (const node of [process.execPath, '/usr/bin/node'].filter(existsSync)) {
    const said = execFileSync(node, [...args, 'docs/examples/quote.json'], { encoding: 'utf8' })
    // docs/examples/quote.json: a new SUV of $90,000 in Victoria, in README.md with each line.
    expect(JSON.parse(said)).toEqual([9858590, true, true, true])
  }
})

/** The messages of the compiler, as strict as can be: the declarations of the package are checked too. */
function compile(program: string): string[] {
  const options: ts.CompilerOptions = {
    ...{ strict: true, skipLibCheck: false, types: ['node'], typeRoots: ['node_modules/@types'], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  }
  const compiled = ts.createProgram([program], options)
  const { diagnostics } = compiled.emit()
  return [...ts.getPreEmitDiagnostics(compiled), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
}

test('the package refuses as the API does', async () => {
  const { signs, published } = await newReleaseKey()
  const evaluator = await built.module.openBundle(await bundleOf(signs), { keys: [published] })
  const refused = () => evaluator.quote({ ...request, pricingCode: 'AU_XYZ' } as never)
  expect(refused).toThrow(built.module.RequestRefused)
  expect(refused).toThrow(
    expect.objectContaining({
      refusal: {
        code: 'INVALID_PRICING_CODE',
        message: expect.stringContaining('AU_VIC') as string,
        errors: [expect.objectContaining({ path: '/body/pricingCode', errorCode: 'INVALID_PRICING_CODE' }) as object],
      },
    }) as Error,
  )
})
