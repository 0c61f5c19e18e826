import type { ClientBinding } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'
import { saltOf } from '../secrets/client-secret.ts'
import type { ClientSecrets } from '../secrets/client-secrets.ts'
import type { Announce } from '../status/events.ts'
import type { ClientVerdict } from './decide.ts'
import { identityOf } from './identity.ts'
import { secretNames, type ShowroomClientObject } from './object.ts'
import type { Revocations } from './revocations.ts'

/** A client and its Secret, which was missing and was created again. */
export interface RemadeSecret {
  client: ShowroomClientObject
  secret: string
}

interface Untold extends RemadeSecret {
  /** The hash that is to be published. */
  hash: string | undefined
}

type Published = ReadonlyMap<string, ClientBinding>
type Secrets = Pick<ClientSecrets, 'takeMade' | 'text' | 'isGenerated'>

interface Around {
  published: Published
  secrets: Secrets
  made: ReadonlySet<string>
}

const TOLD_AT_ONCE = 12

/**
 * The Secrets that were created again and have yet to be told of. A Secret that an operator generated, and of which another hash is
 * published, was created again, whoever created it: an operator that is killed leaves what it has not told of to the next one.
 */
export class RemadeSecrets {
  /** What is not published yet. */
  readonly #untold = new Map<string, Untold>()
  /** What is published and has yet to be told of. */
  readonly #ready = new Map<string, RemadeSecret>()
  #underWay = 0
  /** Secrets that had existed and are missing, where no hash of theirs may be published any more. */
  #gone: ReadonlySet<string> = new Set()

  /** Finds what was created again, by what is published and what is about to be. */
  judge(verdicts: readonly ClientVerdict[], published: Published, secrets: Secrets): void {
    const around = { published, secrets, made: secrets.takeMade?.() ?? new Set<string>() }
    const gone = new Set<string>()
    for (const verdict of verdicts) {
      for (const secret of secretNames(verdict.client)) {
        if (isUnchanged(verdict, secret, around)) continue
        const key = keyOf(verdict.client, secret)
        const fate = this.#fateOf(verdict, secret, around)
        if (fate === 'gone') gone.add(key)
        else if (fate === 'remade') {
          this.#untold.set(key, untoldOf(verdict, secret))
          // That one was replaced before anybody was told of it.
          this.#ready.delete(key)
        }
      }
    }
    this.#gone = gone
  }

  #fateOf({ client, binding }: ClientVerdict, secret: string, { published, secrets, made }: Around) {
    const old = hashIn(published.get(client.metadata.name), client, secret)
    const isMade = made.has(secret)
    if (old === undefined && !wasReady(client) && !this.#gone.has(keyOf(client, secret))) return undefined
    if (isMade) return 'remade'
    if (secrets.text(secret) === undefined) return 'gone'
    if (old === undefined || old === hashIn(binding, client, secret)) return undefined
    return secrets.isGenerated?.(secret) === true ? 'remade' : undefined
  }

  /**
   * Called with what was published in the end: some shards may have been refused. Notes each that is to be told of: the
   * process may end before its turn comes.
   */
  wasPublished(verdicts: readonly ClientVerdict[], note?: (remade: RemadeSecret) => void): void {
    if (this.#untold.size + this.#ready.size === 0) return
    const byName = new Map(verdicts.map((verdict) => [verdict.client.metadata.name, verdict]))
    for (const [key, { client }] of this.#ready) if (!byName.has(client.metadata.name)) this.#ready.delete(key)
    for (const [key, untold] of this.#untold) {
      const { client, secret, hash } = untold
      const verdict = byName.get(client.metadata.name)
      if (verdict && hashIn(verdict.binding, client, secret) !== hash) continue
      this.#untold.delete(key)
      if (!verdict) continue
      this.#ready.set(key, { client, secret })
      note?.({ client, secret })
    }
  }

  /**
   * Tells of what is published, each once, and does not wait: there may be thousands, and the server may be slow. A suspension
   * goes first; the run that publishes it goes on here.
   */
  tell(
    onRemade: ((remade: RemadeSecret) => Promise<void>) | undefined,
    revocations: Pick<Revocations, 'isWaiting'> | undefined,
  ): void {
    for (const [key, remade] of this.#ready) {
      if (this.#underWay >= TOLD_AT_ONCE || revocations?.isWaiting() === true) return
      this.#ready.delete(key)
      this.#underWay += 1
      const done = () => {
        this.#underWay -= 1
        this.tell(onRemade, revocations)
      }
      void Promise.resolve(onRemade?.(remade)).then(done, done)
    }
  }
}

/** True for nearly all clients in nearly every run. */
function isUnchanged(
  { client, binding }: ClientVerdict,
  secret: string,
  { published, secrets, made }: Around,
): boolean {
  if (made.has(secret) || binding !== published.get(client.metadata.name)) return false
  return secrets.text(secret) !== undefined
}

const untoldOf = ({ client, binding }: ClientVerdict, secret: string): Untold => ({
  client,
  secret,
  hash: hashIn(binding, client, secret),
})

const keyOf = ({ metadata }: ShowroomClientObject, secret: string): string => `${metadata.uid}/${secret}`

function hashIn(binding: ClientBinding | undefined, client: ShowroomClientObject, secret: string): string | undefined {
  if (!binding || binding.secrets.length === 0) return undefined
  const salt = saltOf(identityOf(client), secret)
  return binding.secrets.find((each) => each.salt === salt)?.hash
}

/** A client that was Ready at this generation had its Secrets. */
function wasReady({ metadata, status }: ShowroomClientObject): boolean {
  if (status?.observedGeneration !== metadata.generation) return false
  return status.conditions.some((each) => each.type === 'Ready' && each.status === 'True')
}

const remadeMessage = (secret: string) =>
  `Secret ${secret} was missing and was created again: give the new secret to the client; the old secret is refused`

/** Reports one in the log: from now on the old secret is refused. */
export function remadeNoter(log: Logger) {
  return ({ client, secret }: RemadeSecret): void =>
    log.warn({ client: client.metadata.name, secret }, remadeMessage(secret))
}

/** Reports one as an event of its client. */
export function remadeTeller(announce: Announce) {
  return async ({ client, secret }: RemadeSecret): Promise<void> => {
    const told = { type: 'Ready', status: 'True', reason: 'SecretRemade', message: remadeMessage(secret) } as const
    await announce(client, [{ ...told, lastTransitionTime: '', observedGeneration: client.metadata.generation }])
  }
}
