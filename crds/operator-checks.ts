const AGAIN = 'make the set smaller or simpler. The operator checks the set again after ten minutes'

/** The checks that the operator has in addition to those of the files, each with its meaning. */
export const OPERATOR_CHECKS = {
  'import-cycle': 'two sets import each other: remove one import',
  'not-attested': 'the content has no attestation for production',
  'emergency-refused':
    'the emergency attestation does not hold: the message says why. Sign again with a key of `promotion.emergencyKeys`, for at most `promotion.emergencyHours`',
  pinned:
    'the digest in `pin` is that of neither the content of the object nor the published content: correct or remove `pin`',
  'content-lost': 'shards of an import, or of the published content, are missing',
  'shard-refused':
    'the API server refuses a ConfigMap that the publication needs: see [DriveawayShardRefused](alerts.md#driveawayshardrefused)',
  'check-crashed':
    'a check crashed, or the set cannot be encoded: report the fault together with the set, and change the part that the message names',
  'more-faults': 'there are more faults than the message lists',
  'check-deadline': `the checks of the set take longer than \`CHECK_SECONDS\`: ${AGAIN}`,
  'check-memory': `the checks of the set need more memory than \`CHECK_MEGABYTES\`: ${AGAIN}`,
  'display-name': 'the name of the client is empty',
  'showroom-code': 'a showroom code does not match the pattern of the kind',
  grant: 'a grant does not exist',
  credential: 'a credential is not exactly one of `secretRef`, `jwks`, `subject`',
  'private-key': 'a key set contains a private key: stop using that key, because others may have read it',
  'unusable-key': 'a public key cannot verify any assertion: copy the key again',
  'client-size':
    'with this credential, the published form of the client is larger than 64 KiB: remove unused keys, or shorten the names of keys',
  'shard-room':
    'large clients whose names have the same hash do not fit into one shard: make one of these clients smaller, or rename one',
  'own-issuer': 'a subject names this installation as its issuer',
  'subject-unique': 'another client has the same subject of the same issuer',
  identity:
    'the annotation `rates.driveaway.dev/identity` is not a uid, or another client has that identity: remove the annotation',
  'secret-shared': 'another client uses the same Secret',
  'client-secret': 'a Secret could not be created, has another type, or is too short',
} as const

export type OperatorCheck = keyof typeof OPERATOR_CHECKS
