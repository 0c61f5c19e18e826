import type { Fault } from '#rates/checks/fault.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { asSame, bindingOf, narrowed, sizeFaults, type SecretHash } from './binding.ts'
import { clientFaults, type ClientContext } from './checks.ts'
import { identityHolders, secretHolders, subjectHolders } from './holders.ts'
import { claimedIdentity, identityOf } from './identity.ts'
import type { ShowroomClientObject } from './object.ts'

/** The binding to publish for one client, and the faults of its object. */
export interface ClientVerdict {
  client: ShowroomClientObject
  binding?: ClientBinding
  faults: Fault[]
  /** The published binding is lost; `binding` is what could be recovered from the object. */
  isLost?: boolean
  /** The server refuses a shard: the published binding stays, including rights that the object removes. */
  isHeldBack?: boolean
}

export type ClientSurroundings = Omit<ClientContext, 'subjectHolders' | 'secretHolders' | 'identityHolders'> & {
  secretHash: SecretHash
  /** The text of a Secret, to detect that it changed. */
  secretText?: (name: string) => string | undefined
  /** Whether the published binding of a client cannot be read. */
  isLost?: (clientId: string) => boolean
}

/**
 * The binding of every client: as its object asks when it has no fault, else the published binding without the rights
 * that the object removes.
 */
export function decideClients(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
  surroundings: ClientSurroundings,
): ClientVerdict[] {
  const holders = {
    subjectHolders: subjectHolders(clients, published),
    secretHolders: secretHolders(clients, published),
    identityHolders: identityHolders(clients),
  }
  const context = { ...surroundings, ...holders }
  return clients.map((client) => {
    const before = published.get(client.metadata.name)
    const known = decided.get(client)
    if (known && hasInputs(client, { context, before }, known.inputs)) return known.verdict
    const verdict = decideClient(client, context, before)
    const inputs: unknown[] = []
    eachInput(client, { context, before }, (input) => inputs.push(input) > 0)
    decided.set(client, { inputs, verdict })
    return verdict
  })
}

/** The last verdict on each object: of 50,000 clients, usually one has changed. */
const decided = new WeakMap<ShowroomClientObject, { inputs: readonly unknown[]; verdict: ClientVerdict }>()

type Context = ClientSurroundings & ClientContext

interface Around {
  context: Context
  before: ClientBinding | undefined
}

/** Visits all inputs of a verdict other than the object itself; stops when the visitor returns false. */
function eachInput(
  client: ShowroomClientObject,
  { context, before }: Around,
  visit: (input: unknown) => boolean,
): boolean {
  const { metadata, spec } = client
  const { secretFault, secretText, subjectHolders: subjects, secretHolders: holders, issuer, isLost } = context
  if (!visit(issuer) || !visit(before) || !visit(isLost?.(metadata.name) ?? false)) return false
  if (!visit(context.identityHolders.get(claimedIdentity(client) ?? ''))) return false
  return spec.credentials.every(({ secretRef, subject }) => {
    if (subject && !visit(subjects.get(subjectKey(subject)))) return false
    if (!secretRef) return true
    const { name } = secretRef
    return visit(secretFault(name)?.message) && visit(secretText?.(name)) && visit(holders.get(name))
  })
}

/** Compares without building a list for each of 50,000 clients: hardly any input ever differs. */
function hasInputs(client: ShowroomClientObject, surroundings: Around, inputs: readonly unknown[]): boolean {
  let at = 0
  return eachInput(client, surroundings, (input) => inputs[at++] === input)
}

function decideClient(
  client: ShowroomClientObject,
  context: Context,
  before: ClientBinding | undefined,
): ClientVerdict {
  const asked = asSame(before, bindingOf(client, context.secretHash))
  const faults = [...clientFaults(client, context), ...sizeFaults(client, asked, context.secretHash)]
  if (faults.length === 0) return { client, binding: asked, faults }
  // The binding of an earlier object with the same name does not belong to this one.
  if (before?.uid === identityOf(client)) return { client, binding: asSame(before, narrowed(before, asked)), faults }
  const isLost = context.isLost?.(client.metadata.name) === true && isSaidPublished(client)
  if (!isLost) return { client, faults }
  return { client, binding: bindingOf(withoutFaults(client, faults), context.secretHash), faults, isLost }
}

function isSaidPublished({ status }: ShowroomClientObject): boolean {
  return status?.conditions.some(({ type, status }) => type === 'Published' && status === 'True') ?? false
}

/**
 * Replaces a published binding that cannot be read: a client must not disappear because of a fault, so everything in
 * its object that has no fault is published.
 */
function withoutFaults(client: ShowroomClientObject, faults: readonly Fault[]): ShowroomClientObject {
  const isBad = (place: string) => faults.some(({ path }) => path === place || path.startsWith(`${place}.`))
  const good = <T>(list: readonly T[], name: string) => list.filter((_, at) => !isBad(`${name}[${at}]`))
  const { spec } = client
  const lists = {
    credentials: good(spec.credentials, 'credentials'),
    showroomCodes: good(spec.showroomCodes, 'showroomCodes'),
    grants: good(spec.grants, 'grants'),
  }
  return { ...client, spec: { ...spec, ...lists } }
}
