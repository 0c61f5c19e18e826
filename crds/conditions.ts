/**
 * The types and reasons of conditions and the reasons of events. The operator writes no others, and docs/conditions.md is
 * generated from this file.
 */

interface ConditionDescription {
  /** A `positive` condition is good when it is True; a `negative` one is present only while something is wrong. */
  polarity: 'positive' | 'negative'
  means: string
}

export const CONDITIONS = {
  Ready: {
    polarity: 'positive',
    means: 'the summary: the object passed every check, and this generation is published',
  },
  Published: {
    polarity: 'positive',
    means: 'this generation of the object, or an earlier one, is published',
  },
  Loaded: {
    polarity: 'positive',
    means:
      'every API process that ran when this generation was published has loaded it; pods that start later do not change the condition',
  },
  NoticesDelivered: {
    polarity: 'positive',
    means: 'False while e-mails cannot reach a contact of the client; otherwise absent',
  },
  Reconciling: { polarity: 'negative', means: 'the object waits; nobody needs to correct it' },
  Stalled: { polarity: 'negative', means: 'the object has a fault that somebody has to correct' },
  Emergency: {
    polarity: 'negative',
    means:
      'the published content was attested in an emergency, and not by staging; the message names the key, the reason and the end',
  },
} as const satisfies Record<string, ConditionDescription>

export type ConditionType = keyof typeof CONDITIONS

interface ReasonDescription {
  /** The conditions that can have the reason. */
  on: readonly ConditionType[]
  means: string
  /** The action that resolves the condition; undefined when no action is needed. */
  remedy?: string
}

const alert = (name: string) => `see [${name}](alerts.md#${name.toLowerCase()})`

export const CONDITION_REASONS = {
  Published: { on: ['Ready', 'Published'], means: 'this generation is published' },
  Suspended: {
    on: ['Ready'],
    means:
      'the client is published as suspended: every endpoint answers 403 `USER_INACTIVE`. A deleted client that a finalizer keeps is suspended too',
    remedy: 'nothing; if the client is deleted, remove the finalizer',
  },
  AddressRefused: {
    on: ['NoticesDelivered'],
    means: 'the mail server permanently refused addresses in `spec.contacts` for the last notice',
    remedy:
      'correct the contacts, then `driveaway dead-letters replay --notices` ([notices](notices-operating.md#dead-letters))',
  },
  Withdrawn: {
    on: ['Ready', 'Published'],
    means: 'the rate set is withdrawn by `spec.withdrawn: true` and no longer published',
    remedy: 'nothing; the object may be deleted',
  },
  Pinned: {
    on: ['Ready', 'Published'],
    means:
      '`spec.pin` holds the set at a digest. The message says when the object has other content, which is not published',
    remedy: 'remove `spec.pin` when the newest content is to be published ([a wrong price](wrong-price.md))',
  },
  CheckFailed: {
    on: ['Ready', 'Stalled'],
    means:
      'a check found a fault; the message names the field, the fault and the check. The last good content stays published',
    remedy: 'correct the field, or revert the change',
  },
  BreaksImporter: {
    on: ['Ready', 'Stalled'],
    means:
      'this set passes its checks, but a set that imports it would fail a check with the new content; the message names that importer. The last good content stays published',
    remedy: 'correct the importer, or apply both changes together',
  },
  ImporterPinned: {
    on: ['Ready', 'Reconciling'],
    means:
      'this set passes its checks, but a set that imports it is pinned, and the pinned digest includes the present content of this set; the message names that importer. The last good content stays published',
    remedy: 'nothing; remove `spec.pin` of the importer when both are to move on ([a wrong price](wrong-price.md))',
  },
  ImportMissing: {
    on: ['Ready', 'Reconciling'],
    means: 'a set that this set imports does not exist in the cluster',
    remedy: 'apply the imported set',
  },
  ImportHeld: {
    on: ['Ready', 'Reconciling'],
    means:
      'this set waits for a set that it imports: the newest content of that import is not published. The message names the import and the reason. The last good content of both stays published',
    remedy:
      'do what the condition Ready of the import asks for (`kubectl describe rateset`, then the reason in this table); this set is then published without another change',
  },
  AwaitingAttestation: {
    on: ['Ready', 'Reconciling'],
    means: 'production publishes only content that staging attested, and this content has no attestation yet',
    remedy: 'wait until staging attests the content, then promote the attestation ([promotion](promotion.md))',
  },
  EmergencyAttestation: {
    on: ['Emergency'],
    means: 'an emergency attestation published this content without staging',
    remedy: `promote staging's attestation of the same content; ${alert('DriveawayEmergency')}`,
  },
  PublicationFails: {
    on: ['Ready', 'Reconciling'],
    means: 'no publication succeeds, whatever the object contains; the message has the cause',
    remedy: alert('DriveawayPublicationFails'),
  },
  LastGood: {
    on: ['Published'],
    means: 'the last good content is published, because this generation is held',
    remedy: 'see Ready',
  },
  Narrowed: {
    on: ['Published'],
    means: 'the published state of the client stays, without the rights that this generation removes',
    remedy: 'see Ready',
  },
  ContentLost: {
    on: ['Published'],
    means: 'the published content is missing from the cluster',
    remedy: alert('DriveawayLostObjects'),
  },
  NotPublished: { on: ['Published', 'Loaded'], means: 'nothing of the object is published', remedy: 'see Ready' },
  Loaded: {
    on: ['Loaded'],
    means: 'every API process serves this generation; the message counts the processes, as `3/3`',
  },
  Loading: {
    on: ['Loaded', 'Reconciling'],
    means:
      'this generation is published, and not every API process serves it yet; the message keeps the count of the first moment',
    remedy: `wait; after five minutes ${alert('DriveawayRateSetNotLoaded')}`,
  },
  Held: { on: ['Loaded'], means: 'an earlier generation is served', remedy: 'see Ready' },
  NoProcesses: {
    on: ['Loaded'],
    means:
      'the condition is Unknown, because the operator knows no API process: none runs, or neither `API_HEALTH_URLS` nor the Services name one',
    remedy: "look at the API's pods and their health ports",
  },
} as const satisfies Record<string, ReasonDescription>

export type ConditionReason = keyof typeof CONDITION_REASONS

/** Whether an object with this reason is waiting, so that nobody needs to correct it. */
export const isWaiting = (reason: ConditionReason): boolean =>
  (CONDITION_REASONS[reason].on as readonly ConditionType[]).includes('Reconciling')

interface EventDescription {
  /** The kind of object to which the event belongs. */
  of: string
  /** The meaning, followed by the remedy. */
  means: string
}

const INDEXES = 'ConfigMap `driveaway-rates`, `driveaway-clients`'

/** The reasons of events that do not accompany a change of a condition; these events are warnings. */
export const EVENT_REASONS = {
  ContentLost: {
    of: 'RateSet, ConfigMap `driveaway-rates`',
    means: `published content is missing from the cluster: ${alert('DriveawayLostObjects')}`,
  },
  IndexRepaired: {
    of: INDEXES,
    means:
      'somebody deleted or replaced the index, and the operator restored it from its history; `driveaway_index_repairs_total` counts repairs. Find out who wrote to the index',
  },
  SecretRemade: {
    of: 'ShowroomClient',
    means:
      "somebody deleted the client's Secret, and the operator created a new one: give the new secret to the client; the old secret is refused",
  },
  ServerRestored: {
    of: INDEXES,
    means:
      'the API server has older objects than before: it was restored from a backup. Apply the changes since the backup again',
  },
  SigningKeyRefused: {
    of: 'Secret, ConfigMap of the signing keys',
    means: `stored keys were unusable, and the operator replaced them: ${alert('DriveawaySigningKeyRefused')}`,
  },
} as const satisfies Record<string, EventDescription>

export type EventReason = keyof typeof EVENT_REASONS
