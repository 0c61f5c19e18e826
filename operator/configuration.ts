import { hostname } from 'node:os'
import { noticeStorageVariables, settleSeconds, type NoticeStorageConfiguration } from '#notices/storage-settings.ts'
import { choice, flag, integer, list, port, readConfiguration, seconds, text } from '#runtime/configuration.ts'
import { MAX_LEASE_SECONDS } from '#runtime/kube/lease-record.ts'
import { natsVariables, type NatsConfiguration } from '#runtime/nats/settings.ts'

export interface Configuration extends NoticeStorageConfiguration, NatsConfiguration {
  namespace: string
  clientSecretsNamespace: string
  /**
   * Health addresses of every API process, such as `http://10.0.0.7:8090`, when the processes are not behind Services.
   */
  apiHealthUrls: readonly string[]
  /** Services in `namespace` whose endpoints are the API processes; their health port is named `health`. */
  apiHealthServices: readonly string[]
  leaseName: string
  /** Seconds without a renewal after which another operator may lead. */
  leaseSeconds: number
  identity: string
  /** The issuer of our own tokens. */
  issuer: string
  /** Empty: the default locations, then the service account of the pod. */
  kubeconfig: string
  logLevel: string
  healthHost: string
  healthPort: number
  /** Seconds for which a signing key signs. */
  signingKeySeconds: number
  /** Seconds for which a signing key still verifies after its last signature. */
  signingKeyKeptSeconds: number
  /** The name of this environment in attestations and notices. */
  environment: string
  /** The private attestation key; empty: nothing is attested here. */
  attestationKeyFile: string
  /** Seconds for which every API process must have served a digest before it is attested. */
  attestationSoakSeconds: number
  /** Whether only attested contents are published here. */
  promotionRequired: boolean
  /** Public attestation keys: a JSON list of JWKs with `kid` and `environment`. */
  promotionTrustedKeys: string
  /**
   * Public keys of emergency attestations, a JSON list of JWKs, and the most hours for which such an attestation is
   * valid.
   */
  promotionEmergencyKeys: string
  promotionEmergencyHours: number
  /** The environments whose attestations are accepted. */
  promotionEnvironments: readonly string[]
  /** Whether clients are told of changed rates. */
  notices: boolean
  /**
   * Seconds that a release must last before clients are told, so that rates which are applied in pieces, or reverted,
   * cause one notice.
   */
  noticesSettleSeconds: number
  /** An announcement to more clients than this waits until a person releases it. */
  noticesHoldAbove: number
  /** File with the private key that signs notices. */
  noticesSigningKeyFile: string
  /** Processor time, in seconds, for the checks of one rate set. */
  checkSeconds: number
  /** Memory, in megabytes, for the thread of the checks. */
  checkMegabytes: number
  /** Days for which a release stays kept after the next one; 0: none is kept. */
  releasesKeepDays: number
  /** Megabytes of all kept releases. */
  releasesKeepMegabytes: number
  /** Seconds of silence after which a watch is probed. */
  watchSilentSeconds: number
  /** Statuses reconciled at the same time. */
  concurrency: number
  /** Most statuses written in a second. */
  statusWritesPerSecond: number
}

const DAY = 86_400

const promotion = {
  environment: text({ env: 'ENVIRONMENT', default: '' }),
  attestationKeyFile: text({ env: 'SIGNING_ATTESTATION_KEY_FILE', default: '' }),
  attestationSoakSeconds: seconds({ env: 'ATTESTATION_SOAK_SECONDS', default: 3600 }),
  promotionRequired: flag({ env: 'PROMOTION_REQUIRED', default: false }),
  promotionTrustedKeys: text({ env: 'PROMOTION_TRUSTED_KEYS', default: '[]' }),
  promotionEmergencyKeys: text({ env: 'PROMOTION_EMERGENCY_KEYS', default: '[]' }),
  promotionEmergencyHours: integer({ env: 'PROMOTION_EMERGENCY_HOURS', default: 72, min: 1 }),
  promotionEnvironments: list({ env: 'PROMOTION_ENVIRONMENTS', default: [] }),
}

const notices = {
  ...noticeStorageVariables,
  notices: flag({ env: 'NOTICES', default: false }),
  noticesSettleSeconds: settleSeconds,
  noticesHoldAbove: integer({ env: 'NOTICES_HOLD_ABOVE', default: 500, min: 0 }),
  noticesSigningKeyFile: text({ env: 'NOTICES_SIGNING_KEY_FILE', default: '' }),
  ...natsVariables,
}

/** The operator's configuration; throws ConfigurationError with all faults. */
export function readOperatorConfiguration(env: NodeJS.ProcessEnv): Readonly<Configuration> {
  return readConfiguration<Configuration>(env, {
    namespace: text({ env: 'NAMESPACE' }),
    clientSecretsNamespace: text({ env: 'CLIENT_SECRETS_NAMESPACE' }),
    apiHealthUrls: list({ env: 'API_HEALTH_URLS', default: [] }),
    apiHealthServices: list({ env: 'API_HEALTH_SERVICES', default: [] }),
    leaseName: text({ env: 'LEASE_NAME', default: 'driveaway-operator' }),
    leaseSeconds: seconds({ env: 'LEASE_SECONDS', default: 15, min: 1, max: MAX_LEASE_SECONDS }),
    identity: text({ env: 'POD_NAME', default: hostname() }),
    issuer: text({ env: 'ISSUER' }),
    kubeconfig: text({ env: 'KUBECONFIG', default: '' }),
    logLevel: choice({
      env: 'LOG_LEVEL',
      default: 'info',
      values: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    }),
    healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
    healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
    signingKeySeconds: seconds({ env: 'SIGNING_KEY_SECONDS', default: 30 * DAY, min: 1 }),
    // One token lifetime, and an allowance for clocks that differ.
    signingKeyKeptSeconds: seconds({ env: 'SIGNING_KEY_KEPT_SECONDS', default: 3900, min: 3600 }),
    ...promotion,
    ...notices,
    checkSeconds: seconds({ env: 'CHECK_SECONDS', default: 5, min: 1, max: 60 }),
    checkMegabytes: integer({ env: 'CHECK_MEGABYTES', default: 128, min: 64, max: 4096 }),
    releasesKeepDays: integer({ env: 'RELEASES_KEEP_DAYS', default: 400, min: 0, max: 36_500 }),
    releasesKeepMegabytes: integer({ env: 'RELEASES_KEEP_MEGABYTES', default: 128, min: 1, max: 4096 }),
    // Bookmarks arrive about once a minute, so a watch that is silent for longer is probed.
    watchSilentSeconds: seconds({ env: 'WATCH_SILENT_SECONDS', default: 75, min: 1, max: 3600 }),
    concurrency: integer({ env: 'CONCURRENCY', default: 12, min: 1, max: 64 }),
    statusWritesPerSecond: integer({ env: 'STATUS_WRITES_PER_SECOND', default: 50, min: 1, max: 10_000 }),
  })
}
