import { readFileSync, writeFileSync } from 'node:fs'
import { namespace } from './programs.ts'

interface Kubeconfig {
  clusters: { cluster: object }[]
  users: { user: object }[]
}

/**
 * Writes a kubeconfig with a named context per cluster, in the namespace of the rate sets; the first one is current.
 */
export function writeContexts(path: string, kubeconfigs: Record<string, string>): void {
  const named = Object.entries(kubeconfigs).map(([name, file]) => {
    const { clusters, users } = JSON.parse(readFileSync(file, 'utf8')) as Kubeconfig
    return { name, cluster: clusters[0]!.cluster, user: users[0]!.user }
  })
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': named[0]?.name,
    clusters: named.map(({ name, cluster }) => ({ name, cluster })),
    users: named.map(({ name, user }) => ({ name, user })),
    contexts: named.map(({ name }) => ({ name, context: { cluster: name, user: name, namespace } })),
  }
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
}
