/** The reasons that a condition of a RateSet or ShowroomClient can have; docs/conditions.md explains each. */
export const CONDITION_REASONS = [
  'Published',
  'Suspended',
  'AddressRefused',
  'Withdrawn',
  'CheckFailed',
  'BreaksImporter',
  'ImportMissing',
  'ImportHeld',
  'AwaitingAttestation',
  'PublicationFails',
  'LastGood',
  'Narrowed',
  'ContentLost',
  'NotPublished',
  'Loaded',
  'Loading',
  'Held',
  'NoProcesses',
] as const

/** The reasons of events that are no transition of a condition. */
export const EVENT_REASONS = [
  'ContentLost',
  'IndexRepaired',
  'SecretRemade',
  'ServerRestored',
  'SigningKeyRefused',
] as const

export type ConditionReason = (typeof CONDITION_REASONS)[number]
export type EventReason = (typeof EVENT_REASONS)[number]
