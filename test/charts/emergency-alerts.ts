/** What makes the alerts on emergencies fire and resolve. */

export const au = { rateset: 'au-fy27' }

/** The series of a condition of that rate set. */
export const condition = (name: string, reason: string) =>
  `driveaway_rateset_condition{rateset="au-fy27",condition="${name}",reason="${reason}"}`

const of = (reason: string) => condition('Emergency', reason)
const until = 'driveaway_rateset_emergency_until_timestamp_seconds{rateset="au-fy27"}'

export const emergencies = [
  {
    ...{ alert: 'DriveawayEmergency', labels: au, quietAt: 3, firesAt: 6, resolvedAt: 11 },
    series: { [of('EmergencyAttestation')]: '_x4 1x4 stale', [of('')]: '0x4 stale _x4 0x5' },
  },
  {
    ...{ alert: 'DriveawayEmergencyOverdue', labels: au, quietAt: 9, firesAt: 12, resolvedAt: 21 },
    series: { [until]: '600x19 stale' },
  },
]
