import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import type { Step } from './follow.ts'
import { filesOf } from './page.ts'
import type { Shell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')

/** The steps of docs/clients.md in the shell of a stack that is up, whose clone is in `folder`. */
export function addingAClient(shell: Shell, folder: string): Step[] {
  /** Applies a client like the one of the page, with another name, other credentials and no right to inventory. */
  const applyLike = async (name: string, credential: string) => {
    const northside = readFileSync(join(folder, 'northside.yaml'), 'utf8')
    const like = northside.replaceAll('northside', name).replace(", 'inventory:write'", '')
    writeFileSync(join(folder, `${name}.yaml`), like.replace(/- secretRef: .*/, credential))
    await shell.run(`kubectl apply --server-side -f ${name}.yaml`)
  }
  const until = async (name: string, condition: string) =>
    shell.run(`kubectl -n driveaway wait showroomclient ${name} --for=condition=${condition}`)
  let publicKey = ''
  const applyWestside = async () => {
    await applyLike('westside', credentialOf('jwks').replace('…', publicKey))
    await until('westside', 'Loaded')
  }
  const applyEastsides = async () => {
    await applyLike('eastside', credentialOf('subject'))
    await until('eastside', 'Ready')
    await applyLike('eastside-two', credentialOf('subject'))
    await until('eastside-two', 'Ready=False')
  }
  return [
    { begins: 'kubectl apply --server-side -f northside.yaml', before: () => writeFiles(folder) },
    { begins: 'kubectl -n driveaway wait showroomclient northside --for=condition=Loaded' },
    { begins: 'SECRET=$(kubectl ' },
    { begins: 'curl -s -u "northside:$SECRET"' },
    { begins: 'TOKEN=$(curl ' },
    { begins: 'openssl genpkey -algorithm ed25519 -out westside.pem' },
    { begins: 'node -p ', shows: (output) => (publicKey = /x: '([\w-]{43})'/.exec(output)?.[1] ?? 'none') },
    { begins: 'ASSERTION=$(node assertion.mjs)', before: applyWestside },
    { begins: 'ask() {' },
    { begins: 'ask' },
    { begins: 'ask' },
    { begins: 'EXTERNAL_ISSUERS=' },
    { begins: 'kubectl -n driveaway get showroomclient eastside-two', before: applyEastsides },
    { begins: 'kubectl -n driveaway patch showroomclient northside' },
    {
      begins: 'curl -s "$PRICING_URL/v1/rules?',
      // It reaches every process within seconds.
      by: (command) =>
        waitFor('the client to be shut out', async () => {
          const answer = await shell.run(command)
          return !answer.startsWith('{"rules"') && answer
        }),
    },
  ]
}

function writeFiles(folder: string): void {
  const files = filesOf(page)
  expect(files.map(({ name }) => name)).toEqual(['northside.yaml', 'assertion.mjs'])
  for (const { name, text } of files) writeFileSync(join(folder, name), text)
}

/** The credential of this kind in the page, as an entry of the list in the object. */
const credentialOf = (kind: string) => new RegExp(`^ +(- ${kind}: .*)$`, 'm').exec(page)?.[1] ?? 'none'
