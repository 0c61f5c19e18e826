import { Type, type Static } from 'typebox'
import { OneOf, PricingCode } from '#rates/engine/grammar/scalar.ts'
import type { Kind } from './kind.ts'
import { NO_CONTROL_CHARACTERS, PublicKey } from './public-key.ts'
import { SHOWROOM_CLIENT_RULES } from './showroom-client-rules.ts'
import { Conditions, Digest, ObservedGeneration } from './status.ts'

/**
 * Annotation of an object that was restored from a backup: the uid of the lost object, with which tokens and jobs still
 * identify the client.
 */
export const IDENTITY_ANNOTATION = 'rates.driveaway.dev/identity'

/** The only type of Secret that the operator reads for clients. */
export const CLIENT_SECRET_TYPE = 'rates.driveaway.dev/client-secret'

export const GRANTS = ['pricing:quote', 'inventory:write'] as const

const SecretRef = Type.Object(
  {
    name: Type.String({
      // A DNS subdomain, because Kubernetes refuses any other name of a Secret.
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
      maxLength: 253,
      description:
        'Name of a Secret of type rates.driveaway.dev/client-secret in the client-secrets namespace; made by the operator when absent.',
    }),
  },
  { description: 'A client secret, for client_secret_basic and client_secret_post.' },
)

const Jwks = Type.Object(
  {
    keys: Type.Array(PublicKey, { minItems: 1, maxItems: 8, description: 'Public keys only.' }),
  },
  { description: 'Public keys, for private_key_jwt: nothing secret in Git.' },
)

const Subject = Type.Object(
  {
    issuer: Type.String({
      pattern: '^https://[^\\s?#]+$',
      maxLength: 512,
      description: 'The issuer, exactly as in `iss` of its tokens; the allow-list of the installation must contain it.',
    }),
    subject: Type.String({
      pattern: NO_CONTROL_CHARACTERS,
      minLength: 1,
      maxLength: 255,
      description: 'The `sub` of its tokens; unique with the issuer over all clients.',
    }),
  },
  { description: 'A token of an external issuer.' },
)

/** One way for the client to authenticate: exactly one of the three. */
export const Credential = Type.Object(
  {
    secretRef: Type.Optional(SecretRef),
    jwks: Type.Optional(Jwks),
    subject: Type.Optional(Subject),
  },
  { minProperties: 1 },
)

const Contact = Type.Object({
  email: Type.String({
    pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    maxLength: 254,
    description: 'The address that e-mails go to.',
  }),
  notices: Type.Boolean({ description: 'true: receives an e-mail when published rates change.' }),
})

const Notices = Type.Object(
  {
    pricingCodes: Type.Optional(
      Type.Array(PricingCode, {
        minItems: 1,
        maxItems: 16,
        description:
          'Only changes of these pricing codes and of the sets that they import; absent: every published change.',
      }),
    ),
  },
  { description: 'Which changes the contacts with `notices: true` are told of. The field does not restrict quotes.' },
)

const Inventory = Type.Object(
  {
    allowedWords: Type.Optional(
      Type.Array(Type.String({ pattern: NO_CONTROL_CHARACTERS, minLength: 2, maxLength: 64 }), {
        maxItems: 50,
        description:
          'Words and names that moderation takes for no profanity in the uploads of this client, as its own name: whole words, whatever their case.',
      }),
    ),
  },
  { description: 'How the uploads of the client are moderated.' },
)

/** The spec of a ShowroomClient: who may call, and for which showrooms. */
export const ShowroomClientSpec = Type.Object({
  displayName: Type.String({
    pattern: NO_CONTROL_CHARACTERS,
    minLength: 1,
    maxLength: 128,
    description: 'What people call the client.',
  }),
  showroomCodes: Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$', maxLength: 32 }), {
    minItems: 1,
    maxItems: 500,
    description: 'The showrooms that the client may quote and upload for.',
  }),
  grants: Type.Array(OneOf(GRANTS), { maxItems: 2, description: 'What the client may do; empty: nothing.' }),
  suspended: Type.Optional(
    Type.Boolean({ description: 'true: every endpoint answers 403 USER_INACTIVE, for tokens already issued too.' }),
  ),
  credentials: Type.Array(Credential, {
    minItems: 1,
    maxItems: 16,
    description: 'The ways in which the client may authenticate.',
  }),
  contacts: Type.Optional(Type.Array(Contact, { maxItems: 16, description: 'People who receive e-mails.' })),
  notices: Type.Optional(Notices),
  inventory: Type.Optional(Inventory),
})

/** The state of a client as reported by the operator. */
export const ShowroomClientStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    conditions: Type.Optional(Conditions),
    digest: Type.Optional(Digest('Digest of the binding that is published.')),
  },
  { description: 'The state of the client; only the operator writes it.' },
)

export type PublicKey = Static<typeof PublicKey>
export type Credential = Static<typeof Credential>
export type ShowroomClientSpec = Static<typeof ShowroomClientSpec>
export type ShowroomClientStatus = Static<typeof ShowroomClientStatus>

/** The kind ShowroomClient; its name is the OAuth client_id. */
export const SHOWROOM_CLIENT: Kind = {
  kind: 'ShowroomClient',
  plural: 'showroomclients',
  // `sc` is the short name of StorageClass.
  shortNames: ['srclient', 'srclients'],
  description: 'Who may call, and for which showrooms; metadata.name is the OAuth client_id.',
  spec: ShowroomClientSpec,
  status: ShowroomClientStatus,
  rules: SHOWROOM_CLIENT_RULES,
  columns: [
    { name: 'Display', type: 'string', jsonPath: '.spec.displayName' },
    { name: 'Suspended', type: 'boolean', jsonPath: '.spec.suspended' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Loaded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Loaded")].status' },
    { name: 'Grants', type: 'string', jsonPath: '.spec.grants', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  shown: ['northside', 'Northside Motors', '', 'True', 'True', '2m'],
}
