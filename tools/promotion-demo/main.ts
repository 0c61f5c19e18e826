import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '#runtime/log.ts'
import { onShutdown } from '#runtime/shutdown.ts'
import { call } from '../stack/apply.ts'
import { writeEnvironmentFile } from '../stack/addresses.ts'
import { writeContexts } from '../stack/contexts.ts'
import { copyRates, driveaway, overlays } from './rates-folder.ts'
import { applyOverlay, newGround, prepareServers, startRegion, type Ground } from './region.ts'
import { walkFigure, type Walk } from './walk.ts'

// A reader that closes the pipe, such as `head`, must not leave servers behind.
process.stdout.on('error', () => undefined)

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Starts both regions with the rates of the checkout; production publishes what staging attested. */
async function startBoth(folder: string, [first, second]: [Ground, Ground]): Promise<Walk> {
  copyRates(folder)
  const keyFile = join(folder, 'key.json')
  const key = ['attestation-key', '--environment', 'staging', '--kid', 'demo', '--out', keyFile, '--output', 'json']
  const trusted = (await driveaway(folder, key)).trim()
  say('staging and production start, each with etcd, kube-apiserver, nats-server, operator and pricing API of its own')
  const [stagingServers, productionServers] = await Promise.all([prepareServers(first), prepareServers(second)])
  const kubeconfig = join(folder, 'kubeconfig')
  writeContexts(kubeconfig, {
    staging: stagingServers.kubectl.kubeconfig,
    production: productionServers.kubectl.kubeconfig,
  })
  await applyOverlay(stagingServers.kubectl, join(folder, overlays.staging))
  const staging = await startRegion(first, stagingServers, {
    ENVIRONMENT: 'staging',
    SIGNING_ATTESTATION_KEY_FILE: keyFile,
    // An hour in a real staging; whoever watches the demonstration waits for two seconds.
    ATTESTATION_SOAK_SECONDS: '2',
  })
  const attested = ['wait', 'ratesets', '--all', '--for=jsonpath={.status.attestation}', '--timeout=90s']
  await call(staging.kubectl, attested)
  say('staging publishes every rate set, and has attested each')
  await driveaway(folder, ['promote', '--from', 'staging', '--to', overlays.production], kubeconfig)
  await applyOverlay(productionServers.kubectl, join(folder, overlays.production))
  const production = await startRegion(second, productionServers, {
    ENVIRONMENT: 'production',
    PROMOTION_REQUIRED: 'true',
    PROMOTION_ENVIRONMENTS: 'staging',
    PROMOTION_TRUSTED_KEYS: `[${trusted}]`,
  })
  await call(production.kubectl, ['wait', 'ratesets', '--all', '--for=condition=Loaded', '--timeout=90s'])
  say('production requires attestations, and publishes what staging attested')
  return { folder, kubeconfig, staging, production, say }
}

/** Writes the addresses of both regions, and waits for Ctrl-C. */
async function stay({ folder, kubeconfig, staging, production }: Walk): Promise<void> {
  say(
    `\nBoth stay up. KUBECONFIG=${kubeconfig} has the contexts staging and production; the rate sets are in ${folder}.`,
  )
  for (const { name, variables } of [staging, production]) {
    const path = join(folder, `${name}.env`)
    writeEnvironmentFile(path, variables)
    say(`  ${name.padEnd(10)} ${variables['PRICING_URL']}, with the demo clients in ${path}`)
  }
  say('Ctrl-C stops both and deletes the folder.')
  await new Promise(() => undefined)
}

const folder = mkdtempSync(join(tmpdir(), 'driveaway-promotion-'))
const grounds: [Ground, Ground] = [
  newGround(folder, 'staging', () => undefined),
  newGround(folder, 'production', () => undefined),
]
let isStopping = false
const stop = async () => {
  isStopping = true
  await Promise.all(grounds.map(({ crew }) => crew.stopAll()))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
const shutdown = onShutdown(createLog({ name: 'promotion', level: 'warn' }), [{ name: 'both regions', stop }], {
  deadlineMs: 90_000,
  signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
})
try {
  const walk = await startBoth(folder, grounds)
  await walkFigure(walk)
  if (process.argv.includes('--stay')) await stay(walk)
} catch (error) {
  // After Ctrl-C the walk fails because its servers stop; that is not an error.
  if (!isStopping) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
await shutdown.stop('the end of the walk')
