import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'

/** A user that kube-apiserver identifies by a bearer token. */
export interface Identity {
  user: string
  groups: readonly string[]
  token: string
}

/** A user with a new random token. */
export function newIdentity(user: string, groups: readonly string[] = []): Identity {
  return { user, groups, token: randomBytes(32).toString('hex') }
}

/** Writes a kubeconfig for `identity`, or for another user that it impersonates; returns the path. */
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
  // JSON is YAML, and all programs that read a kubeconfig accept it.
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  return path
}

/** A kubeconfig file as the client library represents it. */
export function loadKubeconfig(path: string): KubeConfig {
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromFile(path)
  return kubeConfig
}
