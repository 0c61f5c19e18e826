import type { OperatorCheck } from '#crds/operator-checks.ts'
import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { Fault } from '#rates/checks/fault.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import { claimedIdentity } from './identity.ts'
import { keyFault } from './usable-key.ts'
import type { Credential, ShowroomClientObject, ShowroomClientSpec } from './object.ts'

/** A fault of one credential; the caller adds its path. */
export interface CredentialFault {
  check: OperatorCheck
  message: string
}

/** What the checks of a client depend on besides its object. */
export interface ClientContext {
  /** The client that owns each subject, by `subjectKey`. */
  subjectHolders: ReadonlyMap<string, string>
  /** The client that owns each Secret, by the name of the Secret. */
  secretHolders: ReadonlyMap<string, string>
  /** The client that owns an identity which some client claims to continue, by identity. */
  identityHolders: ReadonlyMap<string, string>
  /** The fault of the Secret of that name, if any. */
  secretFault: (name: string) => CredentialFault | undefined
  issuer: string
}

export type ClientCheck = (client: ShowroomClientObject, context: ClientContext) => Fault[]

export const GRANTS = ['pricing:quote', 'inventory:write']

const displayNameGiven: ClientCheck = ({ spec }) =>
  typeof spec.displayName === 'string' && spec.displayName !== ''
    ? []
    : [fault('display-name', 'displayName', 'is empty')]

const showroomCodesFormed: ClientCheck = ({ spec }) =>
  spec.showroomCodes.flatMap((code, at) =>
    /^[A-Z0-9][A-Z0-9_-]*$/i.test(code)
      ? []
      : [fault('showroom-code', `showroomCodes[${at}]`, `${code} is not a showroom code`)],
  )

const grantsKnown: ClientCheck = ({ spec }) =>
  spec.grants.flatMap((grant, at) =>
    GRANTS.includes(grant) ? [] : [fault('grant', `grants[${at}]`, `${grant} is not one of ${GRANTS.join(', ')}`)],
  )

const oneKindEach: ClientCheck = ({ spec }) =>
  eachCredential(spec, (credential) => {
    const kinds = [credential.secretRef, credential.jwks, credential.subject].filter((kind) => kind !== undefined)
    return kinds.length === 1
      ? undefined
      : { check: 'credential', message: 'expected exactly one of secretRef, jwks, subject' }
  })

const keysPublic: ClientCheck = ({ spec }) =>
  eachCredential(spec, ({ jwks }) => {
    const secret = jwks?.keys.find((key) => 'd' in key || 'k' in key)
    return secret && { check: 'private-key', message: 'expected public keys only; stop using this key' }
  })

const keysUsable: ClientCheck = ({ spec }) =>
  spec.credentials.flatMap(({ jwks }, at) =>
    (jwks?.keys ?? []).flatMap((key, nth) => {
      const message = keyFault(key)
      return message === undefined ? [] : [fault('unusable-key', `credentials[${at}].jwks.keys[${nth}]`, message)]
    }),
  )

const issuerIsAnother: ClientCheck = ({ spec }, { issuer }) =>
  eachCredential(spec, ({ subject }) => {
    if (!subject || subject.issuer !== issuer) return undefined
    return { check: 'own-issuer', message: `${issuer} is Driveaway's own issuer; expected an external issuer` }
  })

const subjectUnique: ClientCheck = ({ metadata, spec }, { subjectHolders }) =>
  eachCredential(spec, ({ subject }) => {
    const holder = subject && subjectHolders.get(subjectKey(subject))
    if (holder === undefined || holder === metadata.name) return undefined
    return { check: 'subject-unique', message: `${subject?.subject} of ${subject?.issuer} belongs to client ${holder}` }
  })

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const identityOwn: ClientCheck = (client, { identityHolders }) => {
  const identity = claimedIdentity(client)
  if (identity === undefined) return []
  const path = `metadata.annotations[${IDENTITY_ANNOTATION}]`
  if (!UID.test(identity)) return [fault('identity', path, 'is not the uid of an object')]
  const holder = identityHolders.get(identity)
  return holder === client.metadata.name ? [] : [fault('identity', path, `is the identity of client ${holder}`)]
}

const secretUnshared: ClientCheck = ({ metadata, spec }, { secretHolders }) =>
  eachCredential(spec, ({ secretRef }) => {
    const holder = secretRef && secretHolders.get(secretRef.name)
    if (holder === undefined || holder === metadata.name) return undefined
    const message = `Secret ${secretRef?.name} belongs to client ${holder}; name a Secret of this client's own`
    return { check: 'secret-shared', message }
  })

const secretUsable: ClientCheck = ({ spec }, { secretFault }) =>
  eachCredential(spec, ({ secretRef }) => secretRef && secretFault(secretRef.name))

/** The checks in order. All of them run, because the fields are independent of one another. */
export const CLIENT_CHECKS: readonly ClientCheck[] = [
  displayNameGiven,
  showroomCodesFormed,
  grantsKnown,
  oneKindEach,
  keysPublic,
  keysUsable,
  issuerIsAnother,
  identityOwn,
  subjectUnique,
  secretUnshared,
  secretUsable,
]

export function clientFaults(client: ShowroomClientObject, context: ClientContext): Fault[] {
  return CLIENT_CHECKS.flatMap((check) => check(client, context))
}

function eachCredential(
  spec: ShowroomClientSpec,
  check: (credential: Credential) => CredentialFault | undefined,
): Fault[] {
  return spec.credentials.flatMap((credential, at) => {
    const found = check(credential)
    return found ? [{ ...found, path: `credentials[${at}]` }] : []
  })
}

function fault(check: OperatorCheck, path: string, message: string): Fault {
  return { check, path, message }
}
