import { join } from 'node:path'
import { ensureBinary } from '../binaries/ensure.ts'
import { root } from '../stack/settings.ts'
import { run } from './process.ts'

export const CHARTS = ['driveaway-crds', 'driveaway'] as const

/** Packages both charts into a folder; returns the paths of the archives. */
export async function packageCharts(into: string, version: string): Promise<string[]> {
  const helm = await ensureBinary('helm')
  const versions = ['--version', version, '--app-version', version]
  for (const chart of CHARTS)
    await run(helm, ['package', join(root, 'charts', chart), ...versions, '--destination', into])
  return CHARTS.map((chart) => join(into, `${chart}-${version}.tgz`))
}

/** Pushes packaged charts as OCI artifacts; returns the name and the digest of each. */
export async function pushCharts(archives: readonly string[], registry: string): Promise<string[]> {
  const helm = await ensureBinary('helm')
  // Like docker: a registry on this machine has no certificate.
  const plain = /^(localhost|127\.0\.0\.1)(:|\/|$)/.test(registry) ? ['--plain-http'] : []
  const pushed: string[] = []
  for (const archive of archives) {
    const said = await run(helm, ['push', archive, `oci://${registry}/charts`, ...plain])
    const [, name, digest] = /Pushed: (\S+):\S+\s+Digest: (sha256:[0-9a-f]{64})/.exec(said) ?? []
    if (!digest) throw new Error(`helm push ${archive} named no digest: ${said}`)
    pushed.push(`${name}@${digest}`)
  }
  return pushed
}
