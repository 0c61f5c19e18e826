import { parse } from 'yaml'
import { digestOf } from '#rates/published/canonical.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { hashSecret } from '#rates/published/hashed-secret.ts'
import { holdClients, type HeldClients } from './held.ts'

/** One client of a CLIENTS_FILE: only `clientId` is required; `secret` is plain text, so the file is one to guard. */
export interface FileClient extends Partial<Omit<ClientBinding, 'clientId'>> {
  clientId: string
  secret?: string
}

/** Reads `clients: [...]` from YAML or JSON; throws naming the entry that is not usable. */
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
  // The same salt at each reading: a token names the hash that it was got with.
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
