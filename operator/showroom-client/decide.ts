import type { Fault } from '#rates/engine/fault.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { bindingOf, narrowed, type SecretHash } from './binding.ts'
import { clientFaults, type ClientContext } from './checks.ts'
import type { ShowroomClientObject } from './object.ts'

/** What is published of one client, and what is wrong with its object. */
export interface ClientVerdict {
  client: ShowroomClientObject
  binding?: ClientBinding
  faults: Fault[]
}

export type ClientSurroundings = Omit<ClientContext, 'subjectHolders'> & { secretHash: SecretHash }

/** The binding of every client: as asked when nothing is wrong, else the published one without what was taken away. */
export function decideClients(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
  around: ClientSurroundings,
): ClientVerdict[] {
  const context = { ...around, subjectHolders: subjectHolders(clients, published) }
  return clients.map((client) => {
    const faults = clientFaults(client, context)
    const asked = bindingOf(client, around.secretHash)
    if (faults.length === 0) return { client, binding: asked, faults }
    const before = published.get(client.metadata.name)
    // What an earlier object of the same name had is not this one's.
    if (before?.uid !== client.metadata.uid) return { client, faults }
    return { client, binding: narrowed(before, asked), faults }
  })
}

/** A subject stays with the client it is published for; else the oldest object has it. */
function subjectHolders(clients: readonly ShowroomClientObject[], published: ReadonlyMap<string, ClientBinding>) {
  const byAge = [...clients].sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1))
  const claims = byAge.flatMap((client) =>
    client.spec.credentials.flatMap(({ subject }) => (subject ? [{ client, subject }] : [])),
  )
  const standing = claims.filter(({ client, subject }) => isHeldBy(client, subject, published))
  const holders = new Map<string, string>()
  for (const { client, subject } of [...standing, ...claims]) {
    const key = subjectKey(subject)
    if (!holders.has(key)) holders.set(key, client.metadata.name)
  }
  return holders
}

function isHeldBy(
  { metadata }: ShowroomClientObject,
  subject: { issuer: string; subject: string },
  published: ReadonlyMap<string, ClientBinding>,
): boolean {
  const binding = published.get(metadata.name)
  return binding?.uid === metadata.uid && binding.subjects.some((each) => subjectKey(each) === subjectKey(subject))
}

function ageKey({ metadata }: ShowroomClientObject): string {
  return `${String(metadata.creationTimestamp ?? '')} ${metadata.name}`
}
