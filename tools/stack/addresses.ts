import { renameSync, writeFileSync } from 'node:fs'
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node'
import { clientSecretsNamespace } from './programs.ts'
import type { Ports } from './settings.ts'
import { waitFor } from './wait-for.ts'

/** The demo clients, whose credentials are in the environment file. */
export const demoClients = ['dealer', 'uploader', 'suspended'] as const

/** The variables of `.run/env` in the order of the file. */
export function addresses(ports: Ports, kubeconfig: string, natsUrl: string): Record<string, string> {
  const pricing = `http://127.0.0.1:${ports.pricing}`
  return {
    KUBECONFIG: kubeconfig,
    PRICING_URL: pricing,
    INVENTORY_URL: `http://127.0.0.1:${ports.inventory}`,
    NATS_URL: natsUrl,
    TOKEN_URL: `${pricing}/oauth/token`,
    HEALTH_URL: `http://127.0.0.1:${ports.health}`,
  }
}

/** The id and the secret of each demo client, once the operator has created the secret. */
export async function clientCredentials(kubeConfig: KubeConfig): Promise<Record<string, string>> {
  const core = kubeConfig.makeApiClient(CoreV1Api)
  const variables: Record<string, string> = {}
  for (const client of demoClients) {
    const secret = await waitFor(
      `the operator to make the secret of client ${client}`,
      async () => {
        const found = await core.readNamespacedSecret({ name: client, namespace: clientSecretsNamespace })
        return found.data?.['clientSecret']
      },
      { timeoutMs: 30_000, everyMs: 100 },
    )
    variables[`${client.toUpperCase()}_CLIENT_ID`] = client
    variables[`${client.toUpperCase()}_CLIENT_SECRET`] = Buffer.from(secret, 'base64').toString()
  }
  return variables
}

/** Writes the variables as a file that a shell can source. Only its owner can read it: it contains secrets. */
export function writeEnvironmentFile(path: string, variables: Record<string, string>) {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`)
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, `${lines.join('\n')}\n`, { mode: 0o600 })
  renameSync(temporary, path)
}

function quoted(value: string): string {
  return /^[\w./:@+=-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
