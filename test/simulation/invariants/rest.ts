import {
  RATES_INDEX,
  CLIENTS_INDEX,
  SIGNING_KEYS_SECRET,
  type ClientsIndex,
  type RatesIndex,
  type SigningKeys,
} from '#rates/published/format.ts'
import { NAMESPACE, qualityOf, type ClientSpec } from '../plan/contents.ts'
import type { StoredObject } from '../server/object.ts'
import type { Reader } from '../programs/reader.ts'
import type { Storage } from '../server/storage.ts'
import { clientsIndexIn, type ClientsInvariants } from './clients.ts'
import type { KeysInvariants } from './keys.ts'
import { indexIn, specDigestOf, type RatesInvariants } from './rates.ts'
import { rightsOf } from './readers.ts'
import { conditionOf, type Status } from './statuses.ts'
import { Violation } from './violation.ts'

const CORE = `/api/v1/namespaces/${NAMESPACE}`
const KINDS = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${NAMESPACE}`

export interface AtRest {
  storage: Storage
  readers: readonly Reader[]
  rates: RatesInvariants
  clients: ClientsInvariants
  keys: KeysInvariants
  /** Whether only what was attested may be published. */
  isAttested: boolean
}

/** What must hold once faults have stopped and nothing is written any more. */
export function checkRest(at: AtRest): void {
  checkReaders(at)
  checkShards(at)
  checkKeys(at)
  checkVerifiers(at)
  const sets = isRefused(at) ? [] : at.storage.list(`${KINDS}/ratesets`)
  checkSets(at, sets)
  for (const client of at.storage.list(`${KINDS}/showroomclients`)) checkClient(at, client)
  checkDeletedClients(at)
  const isLoadable = at.readers.some((reader) => reader.isReady()) && !isHeldUp(at)
  for (const object of [...sets, ...at.storage.list(`${KINDS}/showroomclients`)]) checkObserved(object, isLoadable)
}

function checkReaders({ storage, readers, rates }: AtRest): void {
  const index = indexIn(storage.get(`${CORE}/configmaps`, RATES_INDEX)?.object)
  const clients = clientsIndexIn(storage.get(`${CORE}/configmaps`, CLIENTS_INDEX)?.object)
  const lost = lostSets(storage, index, rates.takenAway)
  for (const reader of readers) {
    const { instance, clients: held, lastError } = reader.loaded()
    if (index) checkServes(reader, { index, clients, lost })
    if (clients && held?.digest !== clients.digest)
      throw new Violation('rest', `${instance} does not have the clients: ${lastError}`)
  }
}

/** Whether a reader cannot go on, for a content that is lost: what was published after that is not loaded there. */
function isHeldUp({ storage, readers, rates }: AtRest): boolean {
  const index = indexIn(storage.get(`${CORE}/configmaps`, RATES_INDEX)?.object)
  const lost = lostSets(storage, index, rates.takenAway)
  return readers.some((reader) => lost.some(({ name }) => isHeldUpBy(reader, name)))
}

const isHeldUpBy = (reader: Reader, name: string) => reader.loaded().lastError?.includes(name) ?? false

interface Served {
  index: RatesIndex
  clients: ClientsIndex | undefined
  lost: RatesIndex['sets']
}

function checkServes(reader: Reader, { index, clients, lost }: Served): void {
  const { instance, release, lastError } = reader.loaded()
  // A reader that comes too late for a content that is lost stays with what it serves, or not ready, and says so.
  const isExcused = lost.some(({ name }) => isHeldUpBy(reader, name))
  if (release !== index.release && !isExcused)
    throw new Violation('rest', `${instance} does not serve the index: ${lastError}`)
  if (clients && !reader.isReady() && !(isExcused && !release))
    throw new Violation('rest', `${instance} is not ready: ${lastError}`)
}

/**
 * With index and history gone and the content of an import with them, an index would drop the sets that nobody can check
 * any more: none is made until somebody applies that import again, and no rate set is judged.
 */
function isRefused({ storage, rates }: AtRest): boolean {
  return rates.untold.size > 0 && !indexIn(storage.get(`${CORE}/configmaps`, RATES_INDEX)?.object)
}

/** The entries whose shards somebody took away for good; where the object is there, its status says so. */
function lostSets(storage: Storage, index: RatesIndex | undefined, takenAway: ReadonlySet<string>) {
  const isGone = (name: string) => takenAway.has(name) && !storage.get(`${CORE}/configmaps`, name)
  const lost = (index?.sets ?? []).filter(({ shards }) => shards.some(({ name }) => isGone(name)))
  for (const { name } of lost) {
    const status = storage.get(`${KINDS}/ratesets`, name)?.object['status'] as Status | undefined
    const published = conditionOf(status, 'Published')
    if (status && published?.reason !== 'ContentLost')
      throw new Violation('rest', `the content of ${name} is lost, and its status says ${published?.reason}`)
  }
  return lost
}

/** What can be made again from the objects is there again. */
function checkShards({ storage, rates, clients }: AtRest): void {
  const index = indexIn(storage.get(`${CORE}/configmaps`, RATES_INDEX)?.object)
  const made = (index?.sets ?? []).filter(({ name, specDigest }) => {
    const spec = storage.get(`${KINDS}/ratesets`, name)?.object['spec'] as object | undefined
    return spec !== undefined && specDigestOf(spec) === specDigest
  })
  const names = [...made.flatMap(({ shards }) => shards), ...(clients.last?.shards ?? [])].map(({ name }) => name)
  for (const name of names)
    if (!storage.get(`${CORE}/configmaps`, name) && rates.takenAway.has(name))
      throw new Violation('rest', `${name} was taken away, and nobody put it back`)
}

function checkVerifiers({ readers, keys }: AtRest): void {
  for (const kid of keys.signedLately())
    for (const reader of readers)
      if (!reader.held().keys?.verifiers.has(kid))
        throw new Violation('rest', `${reader.loaded().instance} does not verify what a key signed that was published`)
}

function checkKeys({ storage }: AtRest): void {
  const secret = storage.get(`${CORE}/secrets`, SIGNING_KEYS_SECRET)?.object
  const text = Buffer.from((secret?.['data'] as Record<string, string>)?.['keys.json'] ?? '', 'base64').toString()
  const states = text === '' ? [] : (JSON.parse(text) as SigningKeys).keys.map(({ state }) => state)
  for (const state of ['current', 'next'])
    if (states.filter((each) => each === state).length !== 1)
      throw new Violation('rest', `the signing keys are ${states.join(', ') || 'none'}`)
}

/** Where something is coupled, which content goes with which is for `decide` to choose. */
function checkSets({ storage, rates, isAttested }: AtRest, objects: readonly StoredObject[]): void {
  const index = indexIn(storage.get(`${CORE}/configmaps`, RATES_INDEX)?.object)
  const isSimple = isFederalGood(objects) && !isCoupledYet(rates) && !isAttested
  for (const object of objects) {
    const { name } = object.metadata
    checkBad(object)
    if (isSimple && qualityIn(object) === 'good')
      checkGood(object, index?.sets.find((set) => set.name === name)?.specDigest)
  }
}

function checkBad(object: StoredObject): void {
  const ready = readyOf(object)
  if (qualityIn(object) === 'bad' && ready?.status !== 'False')
    throw new Violation('rest', `${object.metadata.name} has a fault, and is Ready=${ready?.status}`)
}

/** A good content is published as it is, whatever is wrong with the others. */
function checkGood(object: StoredObject, published: string | undefined): void {
  const { name } = object.metadata
  const ready = readyOf(object)
  const wanted = isWithdrawn(object) ? undefined : specDigestOf(object['spec'] as object)
  if (published !== wanted)
    throw new Violation('rest', `${name} is good, and is not published as it is: ${ready?.message}`)
  if (ready?.status !== 'True') throw new Violation('rest', `${name} is good, and is not Ready: ${ready?.message}`)
}

function isFederalGood(objects: readonly StoredObject[]): boolean {
  const federal = objects.find(({ metadata }) => metadata.name === 'au-fy27')
  return federal !== undefined && qualityIn(federal) === 'good' && !isWithdrawn(federal)
}

const readyOf = (object: StoredObject) => conditionOf(object['status'] as Status | undefined, 'Ready')

/** A last good content may be one that goes with another federal fee than the present one. */
function isCoupledYet(rates: RatesInvariants): boolean {
  return ['au-vic-fy27', 'au-nsw-fy27'].some((name) =>
    rates.versions(name).some(({ quality }) => quality === 'coupled'),
  )
}

function checkClient({ clients, storage }: AtRest, object: StoredObject): void {
  const { name, uid } = object.metadata
  const index = storage.get(`${CORE}/configmaps`, CLIENTS_INDEX)
  const binding = index && clients.bindings.get(name)
  const ready = conditionOf(object['status'] as Status | undefined, 'Ready')
  const spec = object['spec'] as ClientSpec
  if (binding && binding.uid !== uid) throw new Violation('rest', `client ${name} is published as an earlier one`)
  if (binding && spec.suspended && !binding.suspended) throw new Violation('rest', `client ${name} is not suspended`)
  if (ready?.status === 'False') return
  if (!binding || rightsOf(binding) !== rightsOf(spec))
    throw new Violation('rest', `client ${name} is not published as it is: ${ready?.message}`)
}

function checkDeletedClients({ clients, storage }: AtRest): void {
  for (const name of clients.bindings.keys())
    if (!storage.get(`${KINDS}/showroomclients`, name))
      throw new Violation('rest', `client ${name} was deleted, and is published`)
}

function checkObserved({ metadata, status }: StoredObject, isLoadable: boolean): void {
  const { observedGeneration, conditions } = (status ?? { observedGeneration: 0, conditions: [] }) as Status
  if (observedGeneration !== metadata.generation)
    throw new Violation('rest', `${metadata.name} is at ${metadata.generation}, its status at ${observedGeneration}`)
  const isReady = conditions.some((each) => each.type === 'Ready' && each.status === 'True')
  const loaded = conditions.find(({ type }) => type === 'Loaded')
  // Before there are rates no reader is ready, and nobody can load anything.
  if (isReady && isLoadable && loaded?.status !== 'True')
    throw new Violation('rest', `${metadata.name} is Ready, and Loaded=${loaded?.status} ${loaded?.message}`)
}

const qualityIn = (object: StoredObject) => qualityOf(object['spec'] as object)
const isWithdrawn = (object: StoredObject) => (object['spec'] as { withdrawn?: boolean }).withdrawn === true
