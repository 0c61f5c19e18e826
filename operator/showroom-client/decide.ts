import type { Fault } from '#rates/checks/fault.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { asSame, bindingOf, narrowed, type SecretHash } from './binding.ts'
import { clientFaults, type ClientContext } from './checks.ts'
import { identityHolders, secretHolders, subjectHolders } from './holders.ts'
import { claimedIdentity, identityOf } from './identity.ts'
import type { ShowroomClientObject } from './object.ts'
import { sizeFaults } from './size.ts'

/** What is published of one client, and what is wrong with its object. */
export interface ClientVerdict {
  client: ShowroomClientObject
  binding?: ClientBinding
  faults: Fault[]
  /** What was published is gone; `binding` is what could be saved of it. */
  isLost?: boolean
  /** A shard is refused: what was published stays as it is, with rights that the object takes away. */
  isHeldBack?: boolean
}

export type ClientSurroundings = Omit<ClientContext, 'subjectHolders' | 'secretHolders' | 'identityHolders'> & {
  secretHash: SecretHash
  /** The text of a Secret, to know whether it is another. */
  secretText?: (name: string) => string | undefined
  /** Whether what is published of a client cannot be read. */
  isLost?: (clientId: string) => boolean
}

/** The binding of every client: as asked when nothing is wrong, else the published one without what was taken away. */
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

/** The last verdict on an object that is still the same: of 50,000 clients, one has changed. */
const decided = new WeakMap<ShowroomClientObject, { inputs: readonly unknown[]; verdict: ClientVerdict }>()

type Context = ClientSurroundings & ClientContext

interface Around {
  context: Context
  before: ClientBinding | undefined
}

/** Visits everything beside the object itself that a verdict depends on, for as long as the visitor says so. */
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

/** Without a list of its own for each of 50,000 clients: hardly any input is another than before. */
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
  // What an earlier object of the same name had is not this one's.
  if (before?.uid === identityOf(client)) return { client, binding: asSame(before, narrowed(before, asked)), faults }
  const isLost = context.isLost?.(client.metadata.name) === true && isSaidPublished(client)
  if (!isLost) return { client, faults }
  return { client, binding: bindingOf(withoutFaults(client, faults), context.secretHash), faults, isLost }
}

function isSaidPublished({ status }: ShowroomClientObject): boolean {
  return status?.conditions.some(({ type, status }) => type === 'Published' && status === 'True') ?? false
}

/**
 * What stands in for a published binding that can be read nowhere: a client must not vanish for a fault, so whatever of its
 * object is not at fault is published.
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
