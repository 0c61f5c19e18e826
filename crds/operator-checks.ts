const AGAIN = 'make the set smaller or simpler. It is tried again after ten minutes'

/** The checks that the operator has beside those of the files, each with its meaning. */
export const OPERATOR_CHECKS = {
  'import-cycle': 'two sets import each other: take one import out',
  'not-attested': 'nobody attested this content for production',
  'content-lost': 'the shards of an import, or of what is published, are gone',
  'shard-refused':
    'the API server refuses a ConfigMap that is needed: see [DriveawayShardRefused](alerts.md#driveawayshardrefused)',
  'check-crashed':
    'a check failed in itself, or the set cannot be encoded: report it with the set, and change the part that the message names',
  'more-faults': 'so many faults were found that the others are not listed',
  'check-deadline': `the checks of this set take longer than \`CHECK_SECONDS\`: ${AGAIN}`,
  'check-memory': `the checks of this set need more than \`CHECK_MEGABYTES\`: ${AGAIN}`,
  'display-name': 'the name of the client is empty',
  'showroom-code': 'a showroom code has another form than the kind asks for',
  grant: 'a grant is not one that there is',
  credential: 'a credential is not exactly one of `secretRef`, `jwks`, `subject`',
  'private-key': 'a key set holds a private key: take that key out of use, for it has been seen',
  'unusable-key': 'no assertion can be verified with a public key: copy it again',
  'client-size':
    'with this credential the client takes more than 64 KiB as it is published: take keys that are out of use away, or make names of keys shorter',
  'shard-room':
    'large clients whose names have the same hash have no room together: make this client or one of those smaller, or give one another name',
  'own-issuer': 'a subject names this installation as its issuer',
  'subject-unique': 'another client has the same subject of the same issuer',
  identity:
    'the annotation `rates.driveaway.dev/identity` is no uid, or another client has that identity: take the annotation off',
  'secret-shared': 'another client has the same Secret',
  'client-secret': 'a Secret could not be made, is of another type, or is too short',
} as const

export type OperatorCheck = keyof typeof OPERATOR_CHECKS
