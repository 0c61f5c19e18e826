import type { Logger } from '#runtime/log.ts'
import type { Announce } from '../status/events.ts'
import type { ShowroomClientObject } from './object.ts'

/** A client and its Secret, which was missing and was created again. */
export interface RemadeSecret {
  client: ShowroomClientObject
  secret: string
}

/** Those created Secrets that had existed before: a client that was Ready at this generation had its Secrets. */
export function remadeAmong(clients: readonly ShowroomClientObject[], made: ReadonlySet<string>): RemadeSecret[] {
  if (made.size === 0) return []
  return clients
    .filter(wasReady)
    .flatMap((client) =>
      client.spec.credentials.flatMap(({ secretRef }) =>
        secretRef && made.has(secretRef.name) ? [{ client, secret: secretRef.name }] : [],
      ),
    )
}

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
