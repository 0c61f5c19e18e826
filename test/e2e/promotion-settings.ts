import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { waitFor } from '../harness/wait-for.ts'
import { helm, kubectl, type Release } from './release.ts'
import type { Repository } from './repository.ts'

const PAGE = 'docs/promotion.md'

interface Values {
  attestation?: { signing: { keySecretName: string; soakSeconds?: number } }
  promotion?: { trustedKeys: { kid: string; environment: string }[] }
}

/** The releases set up as the page says, with a new key and a short soak. */
export async function askForAttestations(
  folder: string,
  { driveaway }: Repository,
  { staging, production }: Record<'staging' | 'production', Release>,
): Promise<void> {
  const [ofStaging, ofProduction] = [pageValues('the staging'), pageValues('a production')]
  const { signing } = ofStaging.attestation ?? fail()
  const { trustedKeys } = ofProduction.promotion ?? fail()
  const [{ kid, environment } = fail()] = trustedKeys
  const made = await driveaway(
    'attestation-key',
    '--environment',
    environment,
    '--kid',
    kid,
    '--out',
    'key.json',
    '--output',
    'json',
  )
  trustedKeys.splice(0, 1, JSON.parse(made.stdout) as (typeof trustedKeys)[0])
  signing.soakSeconds = 3
  const secret = ['create', 'secret', 'generic', signing.keySecretName, `--from-file=${join(folder, 'key.json')}`]
  await kubectl(staging, secret)
  await Promise.all([upgrade(folder, staging, ofStaging), upgrade(folder, production, ofProduction)])
}

/** Gives a release other values, and waits until no operator of before is left. */
async function upgrade(folder: string, release: Release, values: Values): Promise<void> {
  const file = join(folder, `${release.name}.yaml`)
  writeFileSync(file, stringify(values))
  await helm(release, ['upgrade', release.name, 'charts/driveaway', '--reuse-values', '--values', file])
  await untilOperatorIsNew(release)
}

/** Takes the releases back to the values that they had, and waits likewise. */
export async function askForNothing(...releases: Release[]): Promise<void> {
  await Promise.all(
    releases.map(async (release) => {
      await helm(release, ['rollback', release.name])
      await untilOperatorIsNew(release)
      const { signing } = pageValues('the staging').attestation ?? fail()
      await kubectl(release, ['delete', 'secret', signing.keySecretName, '--ignore-not-found'])
    }),
  )
}

async function untilOperatorIsNew(release: Release): Promise<void> {
  await kubectl(release, ['rollout', 'status', 'deployment/driveaway-operator', '--timeout=120s'])
  const ending = '-o=jsonpath={.items[*].metadata.deletionTimestamp}'
  const operators = ['get', 'pods', '-l', 'app.kubernetes.io/component=operator', ending]
  await waitFor(
    `the operators of before to be gone from ${release.name}`,
    async () => (await kubectl(release, operators)) === '',
    { timeoutMs: 60_000, everyMs: 300 },
  )
}

/** The values that the page gives for a release, by the comment above them. */
function pageValues(whose: string): Values {
  const block = new RegExp(`^\`\`\`yaml\\n(# values of ${whose} release\\n[^\`]+)\`\`\`$`, 'm')
  const [, text] = block.exec(readFileSync(PAGE, 'utf8')) ?? fail()
  return parse(text ?? '') as Values
}

function fail(): never {
  throw new Error(`${PAGE} no longer says with which values releases attest and ask for attestations`)
}
