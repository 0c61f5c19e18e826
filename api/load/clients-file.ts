import { parse } from 'yaml'
import { digestOf } from '#rates/published/canonical.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { hashSecret } from '#rates/published/hashed-secret.ts'
import { holdClients, type HeldClients } from './held.ts'

/** One client of a CLIENTS_FILE. Only `clientId` is required. `secret` is plain text, so protect the file. */
export interface FileClient extends Partial<Omit<ClientBinding, 'clientId'>> {
  clientId: string
  secret?: string
}

/** Parses `clients: [...]` from YAML or JSON; throws an error that names the invalid entry. */
export function parseClients(text: string): HeldClients {
  const content = parse(text) as { clients?: unknown } | null
  if (!Array.isArray(content?.clients)) throw new Error('the clients file needs a list named clients')
  const byId = new Map<string, ClientBinding>()
  content.clients.forEach((entry: unknown, index) => {
    const client = entry as FileClient
    if (typeof client?.clientId !== 'string' || client.clientId === '')
      throw new Error(`clients[${index}] needs a clientId`)
    if (byId.has(client.clientId)) throw new Error(`clients[${index}]: ${client.clientId} is listed twice`)
    byId.set(client.clientId, toBinding(client))
  })
  return holdClients({ byId, digest: digestOf(content.clients), sequence: 0 })
}

function toBinding(client: FileClient): ClientBinding {
  const { clientId, secret, secrets = [], showroomCodes = [], grants = ['pricing:quote'], ...rest } = client
  // The salt is the same at each read, because a token names the hash of its secret.
  const salt = digestOf(clientId).slice(-32)
  const own = secret === undefined ? [] : [hashSecret(secret, salt)]
  return {
    clientId,
    uid: rest.uid ?? clientId,
    displayName: rest.displayName ?? clientId,
    showroomCodes,
    grants,
    suspended: rest.suspended ?? false,
    secrets: [...secrets, ...own],
    jwks: rest.jwks ?? [],
    subjects: rest.subjects ?? [],
    ...(rest.allowedWords && { allowedWords: rest.allowedWords }),
  }
}
