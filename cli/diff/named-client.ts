import { existsSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import type { ShowroomClientSpec } from '#crds/showroom-client.ts'
import { WrongCall } from '../help.ts'

/** A ShowroomClient, with only the fields that the command reads. */
export interface NamedClient {
  metadata: { name: string }
  spec: ShowroomClientSpec
}

/**
 * The client in a manifest, or the client of that name in the cluster of a side `context:NAME`. Throws WrongCall when
 * there is none, and KubeApiError.
 */
export async function namedClient(client: string, sides: readonly string[]): Promise<NamedClient> {
  if (existsSync(client)) return clientIn(client)
  const side = sides.findLast((each) => each.startsWith('context:'))
  if (side === undefined) throw new WrongCall(`there is no file ${client}; a name needs a side context:NAME`)
  const [{ connectTo }, { getObject }] = await Promise.all([import('../cluster.ts'), import('#runtime/kube/apply.ts')])
  const { kubeConfig, namespace } = connectTo(side.slice('context:'.length))
  const reference = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
  const found = await getObject(kubeConfig, { ...reference, metadata: { name: client, namespace } })
  if (!found) throw new WrongCall(`${side} has no client ${client} in the namespace ${namespace}`)
  return found as unknown as NamedClient
}

function clientIn(file: string): NamedClient {
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as unknown)
  const clients = objects.filter((each) => (each as { kind?: unknown } | null)?.kind === 'ShowroomClient')
  if (clients.length !== 1) throw new WrongCall(`${file} has ${clients.length} clients; expected one`)
  return clients[0] as NamedClient
}
