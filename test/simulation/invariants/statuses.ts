import type { Condition } from '#crds/status.ts'
import type { ClientSpec } from '../plan/contents.ts'
import type { StoredObject } from '../server/object.ts'
import type { Write } from '../server/storage.ts'
import { specDigestOf, type RatesInvariants } from './rates.ts'
import { rightsOf, type ReaderRecord } from './readers.ts'
import { Violation } from './violation.ts'

export interface Status {
  observedGeneration: number
  conditions: Condition[]
  digest?: string
}

/** `Loaded` speaks of this generation: every reader that ran when it was published has held its content. */
export class StatusInvariants {
  readonly #rates: RatesInvariants
  readonly #readers: () => Iterable<ReaderRecord>
  /** When the operator that writes learnt of a reader: nobody speaks of readers that nobody knows. */
  readonly #known: (reader: string) => { revision: number } | undefined
  /** Contents by kind, name, uid and generation. */
  readonly #contents = new Map<string, { spec: object; revision: number }>()

  constructor(
    rates: RatesInvariants,
    readers: () => Iterable<ReaderRecord>,
    known: (reader: string) => { revision: number } | undefined,
  ) {
    this.#rates = rates
    this.#readers = readers
    this.#known = known
  }

  take({ type, object, revision, previous }: Write): void {
    if ((object.kind !== 'RateSet' && object.kind !== 'ShowroomClient') || type === 'DELETED') return
    const { generation = 0, name } = object.metadata
    const key = keyOf(object, generation)
    if (!this.#contents.has(key)) this.#contents.set(key, { spec: object['spec'] as object, revision })
    const status = object['status'] as Status | undefined
    const before = previous?.['status'] as Status | undefined
    if (!status || before === status) return
    if (status.observedGeneration > generation)
      throw new Violation('status', `${name} at ${generation} has a status of ${status.observedGeneration}`)
    this.#checkLoaded(object, status, before)
  }

  #checkLoaded(object: StoredObject, status: Status, before: Status | undefined): void {
    const { name, generation } = object.metadata
    if (isTakenBack(status, before))
      throw new Violation('loaded-stays', `${name} was Loaded at ${generation}, and is so no longer`)
    if (!isNewlyLoaded(status, before)) return
    if (conditionOf(status, 'Published')?.reason === 'NotPublished')
      throw new Violation('loaded', `${name} is Loaded at ${generation}, and nothing of it is published`)
    if (object.kind === 'RateSet') this.#checkSet(object, status)
    else this.#checkClient(object, status)
  }

  #checkSet(object: StoredObject, { digest, observedGeneration }: Status): void {
    const { name } = object.metadata
    const content = this.#contents.get(keyOf(object, observedGeneration))
    if (digest === undefined || !content) return
    const entry = this.#rates.last?.sets.find((set) => set.name === name && set.digest === digest)
    if (entry && entry.specDigest !== specDigestOf(content.spec))
      throw new Violation('loaded', `${name} is Loaded at ${observedGeneration}, and another content is published`)
    const since = this.#rates.broughtIn.get(`${name} ${digest}`) ?? 0
    for (const reader of this.#readers()) {
      if (this.#isMeant(reader, since) && !reader.digests.get(name)?.has(digest))
        throw new Violation('loaded', `${name} is Loaded at ${observedGeneration}, and ${reader.name} never held that`)
    }
  }

  #checkClient(object: StoredObject, { observedGeneration, conditions }: Status): void {
    const { name } = object.metadata
    const content = this.#contents.get(keyOf(object, observedGeneration))
    const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
    if (!content || !isReady) return
    const rights = rightsOf(content.spec as ClientSpec)
    for (const reader of this.#readers()) {
      if (this.#isMeant(reader, content.revision) && isUnheld(reader.bindings.get(name)?.get(rights), content.revision))
        throw new Violation(
          'loaded',
          `client ${name} is Loaded at ${observedGeneration}, and ${reader.name} has not held that since`,
        )
    }
  }

  #isMeant({ name, readyAt }: ReaderRecord, since: number): boolean {
    const known = this.#known(name)
    return readyAt !== undefined && readyAt < since && known !== undefined && known.revision < since
  }
}

/** What was held and given up before a generation was stored is none of it: the same content may come back. */
const isUnheld = (until: number | undefined, since: number) => until === undefined || until < since

/** A check must end in its time by itself: the thread that is ended for it judges nothing meanwhile, and starts anew. */
export function checkJudged(name: string, seconds: number, { checkSeconds }: { checkSeconds: number }): void {
  if (seconds > checkSeconds)
    throw new Violation(
      'deadline',
      `to judge ${name} takes ${seconds.toFixed(1)} s of processor time; it has ${checkSeconds} s`,
    )
}

function isNewlyLoaded(status: Status, before: Status | undefined): boolean {
  const [loaded, was] = [conditionOf(status, 'Loaded'), conditionOf(before, 'Loaded')]
  if (loaded?.status !== 'True') return false
  return was?.status !== 'True' || was.observedGeneration !== loaded.observedGeneration
}

/** Once True, `Loaded` stays True for its generation and content. */
function isTakenBack(status: Status, before: Status | undefined): boolean {
  const [loaded, was] = [conditionOf(status, 'Loaded'), conditionOf(before, 'Loaded')]
  if (was?.status !== 'True' || loaded?.status === 'True') return false
  return was.observedGeneration === loaded?.observedGeneration && before?.digest === status.digest
}

export function conditionOf(status: Status | undefined, type: string): Condition | undefined {
  return status?.conditions.find((each) => each.type === type)
}

function keyOf({ kind, metadata }: StoredObject, generation: number): string {
  return `${kind} ${metadata.name} ${metadata.uid} ${generation}`
}
