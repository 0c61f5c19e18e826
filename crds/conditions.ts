/**
 * What the operator says of an object: the types and reasons of conditions, the reasons of events, and the operator's own
 * checks. The operator writes no other, and docs/conditions.md is generated from this file.
 */

interface ConditionDescription {
  /** A `positive` condition is good when it is True; a `negative` one is there only while something is not as it should be. */
  polarity: 'positive' | 'negative'
  means: string
}

export const CONDITIONS = {
  Ready: { polarity: 'positive', means: 'the sum: the object passed every check and is published as it is' },
  Published: {
    polarity: 'positive',
    means: 'something of the object is published: this generation, or an earlier one',
  },
  Loaded: {
    polarity: 'positive',
    means: 'every API process that ran when this generation was published has loaded it; stays True',
  },
  NoticesDelivered: {
    polarity: 'positive',
    means: 'False while a contact of a client cannot be reached; otherwise absent',
  },
  Reconciling: { polarity: 'negative', means: 'the object waits; nobody needs to correct it' },
  Stalled: { polarity: 'negative', means: 'the object has a fault that somebody has to correct' },
  Emergency: {
    polarity: 'negative',
    means:
      'what is published was attested in an emergency, and not by staging; the message says by whom, why and until when',
  },
} as const satisfies Record<string, ConditionDescription>

export type ConditionType = keyof typeof CONDITIONS

interface ReasonDescription {
  /** The conditions that have the reason. */
  on: readonly ConditionType[]
  means: string
  /** What to do; undefined: nothing. */
  remedy?: string
}

const alert = (name: string) => `see [${name}](alerts.md#${name.toLowerCase()})`

export const CONDITION_REASONS = {
  Published: { on: ['Ready', 'Published'], means: 'this generation is published' },
  Suspended: {
    on: ['Ready'],
    means:
      'a client is published as suspended: every endpoint answers 403 `USER_INACTIVE`; also a deleted client that a finalizer keeps',
    remedy: 'nothing; of a deleted client, whoever set the finalizer removes it',
  },
  AddressRefused: {
    on: ['NoticesDelivered'],
    means: 'addresses in `spec.contacts` refused the last notice for good',
    remedy:
      'correct the contacts, then `driveaway dead-letters replay --notices` ([notices](notices-operating.md#dead-letters))',
  },
  Withdrawn: {
    on: ['Ready', 'Published'],
    means: 'a rate set was taken out of publication by `spec.withdrawn: true`',
    remedy: 'nothing; it may be deleted',
  },
  CheckFailed: {
    on: ['Ready', 'Stalled'],
    means: 'a check found a fault; the message has the field, the fault and the name of the check',
    remedy: 'correct the field',
  },
  BreaksImporter: {
    on: ['Ready', 'Stalled'],
    means: 'the content is good by itself, and the importer that the message names would fail a check with it',
    remedy: 'correct the importer, or apply both changes together',
  },
  ImportMissing: {
    on: ['Ready', 'Reconciling'],
    means: 'a set that this one imports is not applied',
    remedy: 'apply the import',
  },
  ImportHeld: {
    on: ['Ready', 'Reconciling'],
    means: 'a set that this one imports is held: its newest content is not published; the message says why',
    remedy: 'see what the condition Ready of the import says',
  },
  AwaitingAttestation: {
    on: ['Ready', 'Reconciling'],
    means: 'production publishes what staging attested, and nobody attested this content yet',
    remedy: 'wait for staging, promote ([promotion](promotion.md))',
  },
  EmergencyAttestation: {
    on: ['Emergency'],
    means: 'an emergency attestation published this content without staging',
    remedy: `promote staging's attestation of the same content; ${alert('DriveawayEmergency')}`,
  },
  PublicationFails: {
    on: ['Ready', 'Reconciling'],
    means: 'no publication succeeds, whatever the object says; the message has the cause',
    remedy: alert('DriveawayPublicationFails'),
  },
  LastGood: {
    on: ['Published'],
    means: 'an earlier content is published, because this generation is held',
    remedy: 'see Ready',
  },
  Narrowed: {
    on: ['Published'],
    means: 'what was published of a client stays, without the rights that its object takes away',
    remedy: 'see Ready',
  },
  ContentLost: {
    on: ['Published'],
    means: 'what was published can be read nowhere any more',
    remedy: alert('DriveawayLostObjects'),
  },
  NotPublished: { on: ['Published', 'Loaded'], means: 'nothing of the object is published', remedy: 'see Ready' },
  Loaded: { on: ['Loaded'], means: 'every API process serves it; the message counts, as `3/3`' },
  Loading: {
    on: ['Loaded', 'Reconciling'],
    means: 'published, and not every API process serves it yet; the count is that of the beginning',
    remedy: `wait; after five minutes ${alert('DriveawayRateSetNotLoaded')}`,
  },
  Held: { on: ['Loaded'], means: 'an earlier generation is served', remedy: 'see Ready' },
  NoProcesses: {
    on: ['Loaded'],
    means: 'Unknown: the operator knows no API process. None runs, or `API_HEALTH_URLS` or the Services name none',
    remedy: "look at the API's pods and their health ports",
  },
} as const satisfies Record<string, ReasonDescription>

export type ConditionReason = keyof typeof CONDITION_REASONS

/** Whether an object with this reason waits, and nobody needs to correct it. */
export const isWaiting = (reason: ConditionReason): boolean =>
  (CONDITION_REASONS[reason].on as readonly ConditionType[]).includes('Reconciling')

interface EventDescription {
  /** What the event is about. */
  of: string
  /** With what to do. */
  means: string
}

const INDEXES = 'ConfigMap `driveaway-rates`, `driveaway-clients`'

/** The reasons of events that are no transition of a condition; such an event is a warning. */
export const EVENT_REASONS = {
  ContentLost: {
    of: 'RateSet, ConfigMap `driveaway-rates`',
    means: `published content can be read nowhere: ${alert('DriveawayLostObjects')}`,
  },
  IndexRepaired: {
    of: INDEXES,
    means:
      'the index was deleted or replaced, and the operator published it anew from its history; `driveaway_index_repairs_total` counts these. Find out who wrote to it',
  },
  SecretRemade: {
    of: 'ShowroomClient',
    means:
      "the client's Secret was deleted, and the operator made a new one: hand the new secret to the client, the old one is refused",
  },
  ServerRestored: {
    of: INDEXES,
    means:
      'the API server knows less than was known before: it was restored from a backup. Apply again what was changed since the backup',
  },
  SigningKeyRefused: {
    of: 'Secret, ConfigMap of the signing keys',
    means: `stored keys cannot be used and were replaced: ${alert('DriveawaySigningKeyRefused')}`,
  },
} as const satisfies Record<string, EventDescription>

export type EventReason = keyof typeof EVENT_REASONS
