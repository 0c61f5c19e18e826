/** What belongs to one client: the subject of an external issuer, and a Secret. Two clients must never be taken for one. */
import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { saltOf } from '../secrets/client-secret.ts'
import type { ShowroomClientObject } from './object.ts'

/** The client that has each key, by key. */
export type Holders = ReadonlyMap<string, string>

interface Claim {
  client: ShowroomClientObject
  key: string
}

/** A subject stays with the client it is published for; else the oldest object has it. */
export function subjectHolders(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
): Holders {
  const claims = claimsOf(clients, ({ spec }) =>
    spec.credentials.flatMap(({ subject }) => (subject ? [subjectKey(subject)] : [])),
  )
  return holdersOf(claims, ({ client, key }) => {
    const binding = publishedOf(client, published)
    return binding?.subjects.some((each) => subjectKey(each) === key) ?? false
  })
}

/** A Secret stays with the client whose secret is published; else the oldest object has it. */
export function secretHolders(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
): Holders {
  const claims = claimsOf(clients, ({ spec }) => spec.credentials.flatMap(({ secretRef }) => secretRef?.name ?? []))
  return holdersOf(claims, ({ client, key }) => {
    const salt = saltOf(client.metadata.uid, key)
    return publishedOf(client, published)?.secrets.some((each) => each.salt === salt) ?? false
  })
}

function claimsOf(
  clients: readonly ShowroomClientObject[],
  keysOf: (client: ShowroomClientObject) => string[],
): Claim[] {
  return clients.flatMap((client) => keysOf(client).map((key) => ({ client, key })))
}

/** Of 50,000 clients hardly any shares a key: only those that do are compared. */
function holdersOf(claims: readonly Claim[], isPublished: (claim: Claim) => boolean): Holders {
  const first = new Map<string, Claim>()
  const shared = new Map<string, Claim[]>()
  for (const claim of claims) {
    const other = first.get(claim.key)
    if (!other) first.set(claim.key, claim)
    else shared.set(claim.key, [...(shared.get(claim.key) ?? [other]), claim])
  }
  const holders = new Map([...first].map(([key, { client }]) => [key, client.metadata.name]))
  for (const [key, among] of shared) {
    const standing = among.filter(isPublished)
    const oldest = (standing.length > 0 ? standing : among).reduce((a, b) =>
      ageKey(b.client) < ageKey(a.client) ? b : a,
    )
    holders.set(key, oldest.client.metadata.name)
  }
  return holders
}

function publishedOf({ metadata }: ShowroomClientObject, published: ReadonlyMap<string, ClientBinding>) {
  const binding = published.get(metadata.name)
  return binding?.uid === metadata.uid ? binding : undefined
}

function ageKey({ metadata }: ShowroomClientObject): string {
  return `${String(metadata.creationTimestamp ?? '')} ${metadata.name}`
}
