import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'

/** A user that kube-apiserver knows by a bearer token. */
export interface Identity {
  user: string
  groups: readonly string[]
  token: string
}

/** A user with a new random token. */
export function newIdentity(user: string, groups: readonly string[] = []): Identity {
  return { user, groups, token: randomBytes(32).toString('hex') }
}

/** Writes a kubeconfig that speaks as `identity`, or as another user that it impersonates, and returns its path. */
export function writeKubeconfig(
  path: string,
  server: { url: string; caFile: string; namespace?: string },
  identity: Identity,
  impersonated?: { user: string; groups?: readonly string[] },
): string {
  const acting = impersonated && { as: impersonated.user, 'as-groups': impersonated.groups ?? [] }
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'local',
    clusters: [
      {
        name: 'local',
        cluster: { server: server.url, 'certificate-authority': server.caFile },
      },
    ],
    users: [{ name: identity.user, user: { token: identity.token, ...acting } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: identity.user, namespace: server.namespace } }],
  }
  // JSON is YAML, and every reader of a kubeconfig takes it.
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  return path
}

/** The client library's view of a kubeconfig file. */
export function loadKubeconfig(path: string): KubeConfig {
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromFile(path)
  return kubeConfig
}
