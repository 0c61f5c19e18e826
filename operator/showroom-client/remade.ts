import type { Logger } from '#runtime/log.ts'
import type { ClientSecrets } from '../secrets/client-secrets.ts'
import type { Announce } from '../status/events.ts'
import type { ShowroomClientObject } from './object.ts'

/** A client and its Secret, which was missing and was created again. */
export interface RemadeSecret {
  client: ShowroomClientObject
  secret: string
}

export interface FoundSecrets {
  remade: RemadeSecret[]
  /** The Secrets that had existed and are missing, each with the uid of its client. */
  gone: ReadonlySet<string>
}

/**
 * Those created Secrets that had existed before, and those that are still missing: a client that was Ready at this generation had
 * its Secrets. The client is not Ready while the server refuses the creation, so what was `gone` before counts as well.
 */
export function remadeAmong(
  clients: readonly ShowroomClientObject[],
  secrets: Pick<ClientSecrets, 'takeMade' | 'text'>,
  gone: ReadonlySet<string> = new Set(),
): FoundSecrets {
  const made = secrets.takeMade?.() ?? new Set()
  const found = clients.flatMap((client) =>
    client.spec.credentials
      .flatMap(({ secretRef }) => secretRef?.name ?? [])
      .filter((secret) => made.has(secret) || secrets.text(secret) === undefined)
      .filter((secret) => wasReady(client) || gone.has(keyOf(client, secret)))
      .map((secret) => ({ client, secret })),
  )
  const missing = found.filter(({ secret }) => !made.has(secret))
  return {
    remade: found.filter(({ secret }) => made.has(secret)),
    gone: new Set(missing.map(({ client, secret }) => keyOf(client, secret))),
  }
}

const keyOf = ({ metadata }: ShowroomClientObject, secret: string): string => `${metadata.uid}/${secret}`

function wasReady({ metadata, status }: ShowroomClientObject): boolean {
  if (status?.observedGeneration !== metadata.generation) return false
  return status.conditions.some((each) => each.type === 'Ready' && each.status === 'True')
}

/** Reports one in the log and as an event of its client: from now on the old secret is refused. */
export function remadeTeller({ announce, log }: { announce: Announce; log: Logger }) {
  return async ({ client, secret }: RemadeSecret): Promise<void> => {
    const message = `Secret ${secret} was missing and was created again: give the new secret to the client; the old secret is refused`
    log.warn({ client: client.metadata.name, secret }, message)
    const told = { type: 'Ready', status: 'True', reason: 'SecretRemade', message } as const
    await announce(client, [{ ...told, lastTransitionTime: '', observedGeneration: client.metadata.generation }])
  }
}
