import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { tokenOf } from '../stack/quotes.ts'
import { follow, type Step } from './follow.ts'
import { editsOf } from './page.ts'
import { writeContexts } from '../../tools/stack/contexts.ts'
import { newRegion, type Region } from './region.ts'
import { startShell, terminalEnvironment, type Shell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const page = 'docs/new-year.md'
const folder = temporaryDirectory('new-year')
const inFolder = (path: string) => join(folder.path, path)
const clone = inFolder('driveaway')

let staging: Region
let shell: Shell

const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe', encoding: 'utf8' })

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', root, clone])
  git('switch', '--quiet', '-C', 'main')
  git('config', 'user.name', 'Rates analyst')
  git('config', 'user.email', 'rates@driveaway.example')
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  mkdirSync(inFolder('bin'))
  symlinkSync(await ensureBinary('kubectl'), inFolder('bin/kubectl'))
  staging = await newRegion(clone, inFolder('staging'))
  writeContexts(inFolder('kubeconfig'), { staging: staging.controlPlane.kubeconfig })
  const PATH = `${inFolder('bin')}:${process.env['PATH']}`
  shell = startShell(clone, terminalEnvironment({ KUBECONFIG: inFolder('kubeconfig'), PATH }))
  await shell.run('kubectl --context staging apply --server-side -k rates/overlays/staging')
  await staging.start({ ENVIRONMENT: 'staging' })
  await shell.run(`PRICING_URL=${staging.pricingUrl} TOKEN=${await tokenOf(staging, 'dealer')}`)
}, 480_000)
afterAll(async () => {
  await shell?.close()
  await staging?.stop()
  folder.remove()
})

/** The blocks of the page that are patches with a context, and the page without them. */
function patches(): { patches: string[]; rest: string } {
  const text = readFileSync(join(root, page), 'utf8')
  const found = [...text.matchAll(/^```diff\n(--- a\/[\s\S]*?)^```$/gm)]
  return {
    patches: found.map(([, patch = '']) => patch),
    rest: found.reduce((rest, [all]) => rest.replace(all, ''), text),
  }
}

/** What a person types in an editor. A hunk is found by its context; each text of an edit is in its folder. */
function verifyPlates(): void {
  const found = patches()
  expect(found.patches).toHaveLength(2)
  for (const input of found.patches) execFileSync('git', ['apply', '--recount'], { cwd: clone, input })
  for (const { path, from, to } of editsOf(found.rest)) {
    const at = join(clone, path)
    const files = statSync(at).isDirectory() ? readdirSync(at).map((name) => join(at, name)) : [at]
    const holding = files.filter((file) => readFileSync(file, 'utf8').includes(from))
    expect(holding, `${from} in ${path}`).not.toEqual([])
    for (const file of holding) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}

const carriedIn = (output: string) => Number(/^(\d+) figures carried over/m.exec(output)?.[1])
let carried = 0

/** The page is read in June 2027, the test is not. */
const inJune = async (command: string): Promise<string> => {
  await expect(shell.run(`${command} --today 2027-06-23`)).rejects.toThrow('2027-06-24 is after today')
  return shell.run(`${command} --today 2027-06-28`)
}

const steps: Step[] = [
  { begins: 'git switch -c fy28' },
  { begins: './driveaway new-year AU 2028' },
  { begins: './driveaway new-year AU_ACT 2028' },
  { begins: 'grep -n ', shows: (output) => expect(output).toBe('nothing ends\n') },
  { begins: './driveaway lint', shows: (output) => (carried = carriedIn(output)) },
  { begins: './driveaway test' },
  { begins: './driveaway diff git:main rates/sets' },
  { begins: 'git add rates' },
  { begins: "git commit -m 'rates: 2027-28" },
  {
    begins: './driveaway lint',
    before: verifyPlates,
    by: inJune,
    shows: (output) => expect(carriedIn(output)).toBe(carried - 1),
  },
  { begins: './driveaway test' },
  { begins: './driveaway diff git:HEAD rates/sets' },
  { begins: "git commit -am 'rates(au-act)" },
  { begins: 'git switch main' },
  { begins: 'git merge --quiet fy28' },
  { begins: 'kubectl --context staging apply --server-side -k rates/overlays/staging' },
  { begins: 'kubectl --context staging wait rateset au-fy28 au-act-fy28' },
  { begins: 'kubectl --context staging get ratesets au-fy28 au-act-fy28' },
  { begins: 'jq ' },
]

test('the page carries a year over, verifies a figure and publishes both', { timeout: 900_000 }, () =>
  follow({ page, shell, steps }),
)
