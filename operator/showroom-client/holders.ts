/**
 * Decides which client owns a subject of an external issuer, a Secret or an identity: two clients must never be
 * mistaken for each other.
 */
import type { ClientBinding } from '#rates/published/format.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { saltOf } from '../secrets/client-secret.ts'
import { claimedIdentity, identityOf } from './identity.ts'
import type { Credential, ShowroomClientObject } from './object.ts'

/** The name of the client that owns each key. */
export type Holders = ReadonlyMap<string, string>

interface Claim {
  client: ShowroomClientObject
  key: string
}

type KeyOf = (credential: Credential) => string | undefined

/** A subject belongs to the client that it is published for, else to the oldest object that names it. */
export function subjectHolders(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
): Holders {
  return holdersOf(clients, keyOfSubject, ({ client, key }) => {
    const binding = publishedOf(client, published)
    return binding?.subjects.some((each) => subjectKey(each) === key) ?? false
  })
}

const keyOfSubject: KeyOf = ({ subject }) => subject && subjectKey(subject)

/** A Secret belongs to the client whose hash of it is published, else to the oldest object that names it. */
export function secretHolders(
  clients: readonly ShowroomClientObject[],
  published: ReadonlyMap<string, ClientBinding>,
): Holders {
  return holdersOf(
    clients,
    ({ secretRef }) => secretRef?.name,
    ({ client, key }) => {
      const salt = saltOf(identityOf(client), key)
      return publishedOf(client, published)?.secrets.some((each) => each.salt === salt) ?? false
    },
  )
}

/** An identity belongs to the object with that uid, else to the oldest object that claims it. */
export function identityHolders(clients: readonly ShowroomClientObject[]): Holders {
  const claims = Map.groupBy(
    clients.filter((client) => claimedIdentity(client) !== undefined),
    identityOf,
  )
  const holders = new Map<string, string>()
  for (const [identity, among] of claims)
    holders.set(identity, among.reduce((a, b) => (ageKey(b) < ageKey(a) ? b : a)).metadata.name)
  for (const { metadata } of claims.size > 0 ? clients : [])
    if (holders.has(metadata.uid)) holders.set(metadata.uid, metadata.name)
  return holders
}

/** Of 50,000 clients hardly any share a key; only these are compared. */
function holdersOf(
  clients: readonly ShowroomClientObject[],
  keyOf: KeyOf,
  isPublished: (claim: Claim) => boolean,
): Holders {
  const holders = new Map<string, string>()
  const shared = new Set<string>()
  eachClaim(clients, keyOf, (client, key) => {
    if (holders.has(key)) shared.add(key)
    else holders.set(key, client.metadata.name)
  })
  for (const [key, among] of claimsOn(shared, clients, keyOf)) {
    const standing = among.filter(isPublished)
    const oldest = (standing.length > 0 ? standing : among).reduce((a, b) =>
      ageKey(b.client) < ageKey(a.client) ? b : a,
    )
    holders.set(key, oldest.client.metadata.name)
  }
  return holders
}

function claimsOn(keys: ReadonlySet<string>, clients: readonly ShowroomClientObject[], keyOf: KeyOf) {
  const claims: Claim[] = []
  if (keys.size > 0)
    eachClaim(clients, keyOf, (client, key) => {
      if (keys.has(key)) claims.push({ client, key })
    })
  return Map.groupBy(claims, ({ key }) => key)
}

function eachClaim(
  clients: readonly ShowroomClientObject[],
  keyOf: KeyOf,
  visit: (client: ShowroomClientObject, key: string) => void,
): void {
  for (const client of clients)
    for (const credential of client.spec.credentials) {
      const key = keyOf(credential)
      if (key !== undefined) visit(client, key)
    }
}

function publishedOf(client: ShowroomClientObject, published: ReadonlyMap<string, ClientBinding>) {
  const binding = published.get(client.metadata.name)
  return binding?.uid === identityOf(client) ? binding : undefined
}

function ageKey({ metadata }: ShowroomClientObject): string {
  return `${String(metadata.creationTimestamp ?? '')} ${metadata.name}`
}
