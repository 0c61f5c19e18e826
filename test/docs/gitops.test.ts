import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { tokenOf } from '../stack/quotes.ts'
import { follow, type Step } from './follow.ts'
import { editsOf } from './page.ts'
import { writeContexts } from '../../tools/stack/contexts.ts'
import { newRegion, type Region } from './region.ts'
import { startShell, terminalEnvironment, type Shell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const page = 'docs/gitops.md'
const folder = temporaryDirectory('gitops')
const inFolder = (path: string) => join(folder.path, path)
const clone = inFolder('driveaway')

let staging: Region
let production: Region
let shell: Shell

const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe', encoding: 'utf8' })

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', '--bare', root, inFolder('origin.git')])
  execFileSync('git', ['clone', '--quiet', inFolder('origin.git'), clone])
  git('switch', '--quiet', '-C', 'main')
  git('config', 'user.name', 'Rates analyst')
  git('config', 'user.email', 'rates@driveaway.example')
  // Nothing in this clone installs: what is linked to is the checkout's.
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  mkdirSync(inFolder('bin'))
  symlinkSync(await ensureBinary('kubectl'), inFolder('bin/kubectl'))
  const regions = ['staging', 'production'].map((name) => newRegion(clone, inFolder(name)))
  ;[staging, production] = (await Promise.all(regions)) as [Region, Region]
  const kubeconfigOf = ({ controlPlane }: Region) => controlPlane.kubeconfig
  const contexts = { staging: kubeconfigOf(staging), 'production-apac': kubeconfigOf(production) }
  writeContexts(inFolder('kubeconfig'), contexts)
  const PATH = `${inFolder('bin')}:${process.env['PATH']}`
  shell = startShell(clone, terminalEnvironment({ KUBECONFIG: inFolder('kubeconfig'), PATH }))
  await publishWhatStands()
  await shell.run(`PRICING_URL=${production.pricingUrl} TOKEN=${await tokenOf(production, 'dealer')}`)
}, 480_000)
afterAll(async () => {
  await shell?.close()
  await Promise.all([staging?.stop(), production?.stop()])
  folder.remove()
})

/** Both regions publish what the clone has, production by staging's word, which is in Git: the state that the page begins with. */
async function publishWhatStands(): Promise<void> {
  const trusted = await makeKey()
  await shell.run('kubectl --context staging apply --server-side -k rates/overlays/staging')
  await staging.start({
    ...{ ENVIRONMENT: 'staging', ATTESTATION_SOAK_SECONDS: '1' },
    SIGNING_ATTESTATION_KEY_FILE: join(clone, 'key.json'),
  })
  await shell.run("kubectl --context staging wait ratesets --all --for=jsonpath='{.status.attestation}'")
  await shell.run('./driveaway promote --from staging --to rates/overlays/production-apac')
  git('add', 'rates/overlays')
  git('commit', '--quiet', '-m', 'promote(production-apac): what stands')
  git('push', '--quiet', '--force', '--set-upstream', 'origin', 'main')
  await shell.run('kubectl --context production-apac apply --server-side -k rates/overlays/production-apac')
  const promotion = { PROMOTION_REQUIRED: 'true', PROMOTION_ENVIRONMENTS: 'staging' }
  await production.start({ ...promotion, PROMOTION_TRUSTED_KEYS: `[${trusted}]` })
}

/** The public key in the lines that are printed for a production release. */
function keyIn(output: string): string {
  const { promotion } = parse(output.slice(output.lastIndexOf('---\n') + 4)) as { promotion: { trustedKeys: object[] } }
  return JSON.stringify(promotion.trustedKeys[0])
}

/** Staging's key, made as the page on promotion says; what is printed is what production trusts. */
async function makeKey(): Promise<string> {
  let trusted = ''
  const steps: Step[] = [
    { begins: './driveaway attestation-key --environment staging', shows: (output) => (trusted = keyIn(output)) },
    { begins: 'kubectl create secret generic attestation-key', shows: (output) => expect(output).toContain('created') },
  ]
  await follow({ page: 'docs/promotion.md', shell, steps })
  expect(Object.keys(JSON.parse(trusted) as object)).not.toContain('d')
  return trusted
}

/** What the page says that a person does in an editor: each text is there, and is put in the place of the other. */
function editByHand(): void {
  const edits = editsOf(readFileSync(join(root, page), 'utf8'))
  expect(edits.length).toBeGreaterThan(0)
  for (const { path, from, to } of edits) {
    const at = join(clone, path)
    const files = statSync(at).isDirectory() ? readdirSync(at).map((name) => join(at, name)) : [at]
    const holding = files.filter((file) => readFileSync(file, 'utf8').includes(from))
    expect(holding, `${from} in ${path}`).not.toEqual([])
    for (const file of holding) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}

/** What the button of the forge does. */
const merge = (branch: string) => () => git('push', '--quiet', 'origin', `origin/${branch}:main`)

const digests = { before: '', after: '' }
const digestIn = (table: string) => /^au-act-fy27 .* ([0-9a-f]{12}) /m.exec(table)?.[1] ?? 'none'
let quoting = ''
const platesIn = (answer: string) => (JSON.parse(answer) as [string, number, string])[1]

/** Without the flag it would be refused: the page says why. */
async function refusedWithoutTheFlag(): Promise<void> {
  const promotion = './driveaway promote --from staging --to rates/overlays/production-apac'
  await expect(shell.run(promotion)).rejects.toThrow(/au-act-fy27 .* refused .*changes days already past.*--allow-past/)
}

const readTable = async (context: string) => digestIn(await shell.run(`kubectl --context ${context} get ratesets`))
const applyTo = (region: string): Step => ({
  begins: `kubectl --context ${region} apply --server-side -k rates/overlays/${region}`,
  shows: (output) => expect(output).toContain('au-act-fy27 serverside-applied'),
})
const waitIn = (region: string): Step => ({ begins: `kubectl --context ${region} wait rateset au-act-fy27 --for=` })
const pullMerged = (branch: string): Step[] => [
  { begins: 'git switch main', before: merge(branch) },
  { begins: 'git pull' },
]

const change: Step[] = [
  { begins: 'git switch -c act-plates', before: async () => (digests.before = await readTable('production-apac')) },
  { begins: './driveaway lint', before: editByHand },
  { begins: './driveaway test' },
  { begins: './driveaway diff git:main rates/sets' },
  { begins: "git commit -am 'rates(au-act)" },
  { begins: './driveaway diff git:main git:HEAD --format markdown' },
  { begins: 'git push origin act-plates' },
  { begins: './driveaway diff git:main git:HEAD --notice' },
]

const inStaging: Step[] = [
  ...pullMerged('act-plates'),
  applyTo('staging'),
  waitIn('staging'),
  {
    begins: 'kubectl --context staging get ratesets au-act-fy27',
    shows: (table) => expect((digests.after = digestIn(table))).not.toBe(digests.before),
  },
  applyTo('production-apac'),
  waitIn('production-apac'),
  {
    begins: 'kubectl --context production-apac get ratesets au-act-fy27 -o wide',
    shows: (table) => expect(digestIn(table)).toBe(digests.before),
  },
]

const inProduction: Step[] = [
  { begins: 'kubectl --context staging wait ratesets --all --for=jsonpath=' },
  { begins: 'git switch -c promote-act-plates' },
  { begins: './driveaway promote --from staging --to rates/overlays/production-apac', before: refusedWithoutTheFlag },
  { begins: 'git add rates/overlays/production-apac' },
  { begins: 'git commit -m' },
  { begins: 'git push origin promote-act-plates' },
  ...pullMerged('promote-act-plates'),
  applyTo('production-apac'),
  waitIn('production-apac'),
  waitIn('production-apac'),
  {
    begins: 'kubectl --context production-apac get ratesets au-act-fy27',
    shows: (table) => expect(digestIn(table)).toBe(digests.after),
  },
  { begins: "jq '.pricingCode = ", shows: (_, command) => (quoting = command) },
]

const back: Step[] = [
  { begins: 'git revert --no-edit HEAD~1' },
  { begins: 'git push origin main' },
  applyTo('production-apac'),
  {
    ...waitIn('production-apac'),
    shows: async () => {
      await waitFor('the old price', async () => platesIn(await shell.run(quoting)) === 5000, { everyMs: 250 })
      expect(await readTable('production-apac')).toBe(digests.before)
    },
  },
]

test('the page takes a changed figure through staging to production, and back', { timeout: 900_000 }, () =>
  follow({ page, shell, steps: [...change, ...inStaging, ...inProduction, ...back] }),
)
