/** What makes an alert fire and what resolves it: series by the minute, and minutes at which to look. */
export interface Scenario {
  alert: string
  /** Labels of the alert beside its namespace and severity. */
  labels?: Record<string, string>
  /** Series in the notation of promtool, by selector without the namespace. */
  series: Record<string, string>
  quietAt?: number
  firesAt: number
  resolvedAt: number
}

/** In minutes. */
export const DAY = 1440
const au = { rateset: 'au-fy27' }
const pod = { pod: 'pricing-1' }
const condition = (name: string, reason: string) =>
  `driveaway_rateset_condition{rateset="au-fy27",condition="${name}",reason="${reason}"}`
const emergency = (reason: string) => condition('Emergency', reason)
const scraped = (component: string): Scenario => ({
  ...{ alert: 'DriveawayNothingScraped', labels: { component }, firesAt: 6, resolvedAt: 11 },
  series: { [`driveaway_build_info{component="${component}"}`]: '_x10 1x10' },
})

// promtool's clock starts at 0: a timestamp of 0 is as old as the test.
export const scenarios: Scenario[] = [
  {
    ...{ alert: 'DriveawayRateSetNotReady', labels: au, quietAt: 4, firesAt: 6, resolvedAt: 12 },
    series: { [condition('Stalled', 'CheckFailed')]: '1x10 stale', [condition('Stalled', '')]: '_x10 0x10' },
  },
  {
    ...{ alert: 'DriveawayRateSetWaits', labels: au, quietAt: DAY - 10, firesAt: DAY + 1, resolvedAt: DAY + 20 },
    series: { [condition('Reconciling', 'AwaitingAttestation')]: `1x${DAY + 10} 0x20` },
  },
  {
    ...{ alert: 'DriveawayRateSetPinned', labels: au, quietAt: DAY - 10, firesAt: DAY + 1, resolvedAt: DAY + 20 },
    series: {
      [condition('Ready', 'Pinned')]: `1x${DAY + 10} stale`,
      [condition('Ready', 'Published')]: `_x${DAY + 11} 1x10`,
    },
  },
  {
    ...{ alert: 'DriveawayEmergency', labels: au, quietAt: 3, firesAt: 6, resolvedAt: 11 },
    series: { [emergency('EmergencyAttestation')]: '_x4 1x4 stale', [emergency('')]: '0x4 stale _x4 0x5' },
  },
  {
    ...{ alert: 'DriveawayEmergencyOverdue', labels: au, quietAt: 9, firesAt: 12, resolvedAt: 21 },
    series: { 'driveaway_rateset_emergency_until_timestamp_seconds{rateset="au-fy27"}': '600x19 stale' },
  },
  {
    ...{ alert: 'DriveawayRateSetNotLoaded', labels: au, quietAt: 4, firesAt: 6, resolvedAt: 12 },
    series: { [condition('Loaded', 'Loading')]: '0x10 1x10', [condition('Ready', 'Published')]: '1x20' },
  },
  {
    ...{ alert: 'DriveawayRateSetPastReview', labels: au, quietAt: 30, firesAt: 70, resolvedAt: 95 },
    series: { 'driveaway_rateset_review_by_timestamp_seconds{rateset="au-fy27"}': '-1x90 86400x10' },
  },
  {
    ...{ alert: 'DriveawayNoRatesForNextYear', labels: { pricing_code: 'AU_VIC' }, firesAt: 70, resolvedAt: 95 },
    series: { 'driveaway_rates_cover_until_timestamp_seconds{pricing_code="AU_VIC"}': '86400x90 31536000x10' },
  },
  ...['cluster', 'nats'].map((of) => ({
    ...{ alert: 'DriveawayBackupTooOld', labels: { of }, quietAt: 2200, firesAt: 2225, resolvedAt: 2245 },
    series: { [`driveaway_backup_timestamp_seconds{of="${of}"}`]: '0x2240 130000x10' },
  })),
  ...['operator', 'pricing', 'inventory', 'worker', 'nats'].map(scraped),
  {
    ...{ alert: 'DriveawayNoOperatorLeads', quietAt: 1, firesAt: 3, resolvedAt: 6 },
    series: { 'driveaway_operator_leader{pod="a"}': '0x5 1x10', 'driveaway_operator_leader{pod="b"}': '0x15' },
  },
  {
    ...{ alert: 'DriveawayNoOperatorLeads', quietAt: 1, firesAt: 3, resolvedAt: 6 },
    series: { 'driveaway_operator_leader{pod="a"}': '_x5 1x10' },
  },
  {
    ...{ alert: 'DriveawayPublicationFails', labels: { kind: 'clients' }, quietAt: 14, firesAt: 17, resolvedAt: 21 },
    series: { 'driveaway_publication_timestamp_seconds{kind="clients"}': '0x20 1200x10' },
  },
  {
    // Leaders follow each other every ten minutes, and none publishes.
    ...{ alert: 'DriveawayPublicationFails', labels: { kind: 'clients' }, quietAt: 15, firesAt: 40, resolvedAt: 55 },
    series: {
      'driveaway_publication_timestamp_seconds{kind="clients",pod="a"}': '0+60x10 600x9 1200+60x10 1800x9 2400+60x20',
      'driveaway_publication_runs_total{kind="clients",outcome="failed",pod="a"}': '0x10 0+12x40 480x20',
      'driveaway_publication_runs_total{kind="clients",outcome="succeeded",pod="a"}': '0+1x10 10x39 11+1x20',
      'driveaway_publication_runs_total{kind="clients",outcome="failed",pod="b"}': '0x60',
      'driveaway_publication_runs_total{kind="clients",outcome="succeeded",pod="b"}': '0x60',
    },
  },
  {
    ...{ alert: 'DriveawayArchiveFileRefused', quietAt: 14, firesAt: 16, resolvedAt: 22 },
    series: {
      'driveaway_archive_files{state="refused",pod="a"}': '1x20 0x10',
      'driveaway_archive_files{state="used",pod="a"}': '9x30',
    },
  },
  {
    ...{ alert: 'DriveawayShardRefused', labels: { kind: 'clients' }, quietAt: 4, firesAt: 6, resolvedAt: 12 },
    series: {
      'driveaway_refused_shards{kind="clients",pod="a"}': '1x10 0x5',
      'driveaway_operator_leader{pod="a"}': '1x20',
      // One that led before says what it knew then.
      'driveaway_refused_shards{kind="clients",pod="b"}': '1x20',
      'driveaway_operator_leader{pod="b"}': '0x20',
    },
  },
  {
    ...{ alert: 'DriveawayClientNotReady', quietAt: 14, firesAt: 16, resolvedAt: 22 },
    series: {
      'driveaway_objects{kind="ShowroomClient",ready="false",pod="a"}': '2x20 0x10',
      'driveaway_operator_leader{pod="a"}': '1x40',
    },
  },
  {
    ...{ alert: 'DriveawayOldContentStays', labels: { kind: 'rates' }, quietAt: 5, firesAt: 20, resolvedAt: 45 },
    series: { 'driveaway_publication_runs_total{kind="rates",outcome="untidy",pod="a"}': '0x5 0+2x15 30x40' },
  },
  {
    ...{ alert: 'DriveawayStatusesFail', quietAt: 10, firesAt: 30, resolvedAt: 45 },
    series: {
      'driveaway_kube_queue_runs_total{queue="statuses",outcome="failed",pod="a"}': '0x10 0+30x25 750x20',
      'driveaway_kube_queue_runs_total{queue="statuses",outcome="done",pod="a"}': '0+5x10 50x25 50+5x20',
    },
  },
  {
    // Of two chores, one succeeds all the time; a burst at the beginning pages nobody.
    ...{ alert: 'DriveawayChoresFail', quietAt: 20, firesAt: 45, resolvedAt: 60 },
    series: {
      'driveaway_kube_queue_runs_total{queue="chores",outcome="failed",pod="a"}': '0x5 100x24 100+12x20 340x20',
      'driveaway_kube_queue_runs_total{queue="chores",outcome="done",pod="a"}': '0+5x80',
    },
  },
  {
    ...{ alert: 'DriveawaySigningKeyRefused', quietAt: 4, firesAt: 10, resolvedAt: 90 },
    series: { 'driveaway_signing_keys_refused_total{pod="a"}': '0x5 1x100' },
  },
  {
    ...{ alert: 'DriveawayLostObjects', labels: { kind: 'rates' }, firesAt: 2, resolvedAt: 6 },
    series: { 'driveaway_lost_objects{kind="rates"}': '2x5 0x5' },
  },
  {
    ...{ alert: 'DriveawayLoadFails', labels: { ...pod, part: 'rates' }, quietAt: 4, firesAt: 6, resolvedAt: 12 },
    series: { 'driveaway_load_fault{pod="pricing-1",part="rates"}': '1x10 0x5' },
  },
  {
    ...{ alert: 'DriveawayOutOfContact', labels: pod, quietAt: 5, firesAt: 7, resolvedAt: 11 },
    series: { 'driveaway_last_contact_timestamp_seconds{pod="pricing-1"}': '0x10 600x5' },
  },
  {
    ...{
      alert: 'DriveawayWatchSilent',
      labels: { pod: 'operator-1', path: '/p' },
      quietAt: 5,
      firesAt: 7,
      resolvedAt: 11,
    },
    series: {
      'driveaway_kube_watch_last_contact_timestamp_seconds{pod="operator-1",path="/p"}': '0x10 600x5',
      'driveaway_kube_watch_last_contact_timestamp_seconds{pod="operator-1",path="/q"}': '0+60x15',
    },
  },
  {
    ...{ alert: 'DriveawayQueueIsOld', quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: { driveaway_queue_oldest_seconds: '601x10 5x5' },
  },
  {
    ...{ alert: 'DriveawayNatsUnhealthy', labels: { pod: 'driveaway-nats-0' }, quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: {
      'driveaway_nats_healthy{pod="driveaway-nats-0"}': '0x10 1x5',
      'driveaway_nats_healthy{pod="driveaway-nats-1"}': '1x15',
      'driveaway_nats_healthy{pod="driveaway-nats-2"}': '1x15',
    },
  },
  {
    // Of three servers, one has shown nothing since it was evicted.
    ...{ alert: 'DriveawayNatsUnhealthy', quietAt: 4, firesAt: 16, resolvedAt: 21 },
    series: {
      'driveaway_nats_healthy{pod="driveaway-nats-0"}': '1x8 stale _x10 1x5',
      'driveaway_nats_healthy{pod="driveaway-nats-1"}': '1x25',
      'driveaway_nats_healthy{pod="driveaway-nats-2"}': '1x25',
    },
  },
  {
    ...{ alert: 'DriveawayStorageFills', labels: { store: 'KV_vehicles' }, quietAt: 14, firesAt: 16, resolvedAt: 21 },
    series: {
      'driveaway_storage_used_ratio{store="KV_vehicles",pod="a"}': '0.81x20 0.79x5',
      'driveaway_storage_used_ratio{store="BATCHES",pod="a"}': '0.8x25',
    },
  },
  {
    // What waits becomes what is stored: from then on the other alert fires.
    ...{ alert: 'DriveawayStoragePromised', labels: { store: 'KV_jobs' }, quietAt: 14, firesAt: 16, resolvedAt: 21 },
    series: {
      'driveaway_storage_promised_ratio{store="KV_jobs",pod="a"}': '0.81x25',
      'driveaway_storage_promised_ratio{store="KV_jobs",pod="b"}': '0.2x25',
      'driveaway_storage_used_ratio{store="KV_jobs",pod="a"}': '0.2x20 0.81x5',
    },
  },
  {
    // A key that has ended, and one that follows: its last days begin while a third is added.
    ...{ alert: 'DriveawayAttestationKeysEnd', labels: { environment: 'staging' }, firesAt: 70, resolvedAt: 95 },
    series: { 'driveaway_attestation_keys_end_timestamp_seconds{environment="staging"}': '1209000x90 31536000x10' },
  },
  {
    // One worker changes it back; both see a consumer that was added.
    ...{ alert: 'DriveawayStorageDrifts', quietAt: 4, firesAt: 10, resolvedAt: 40 },
    series: {
      'driveaway_storage_settings_changed_total{pod="a"}': '0x3 1x50',
      'driveaway_storage_settings_changed_total{pod="b"}': '0x53',
    },
  },
  {
    ...{ alert: 'DriveawayStorageDrifts', quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: { driveaway_storage_undeclared_consumers: '1x10 0x5' },
  },
  {
    ...{ alert: 'DriveawayDeadLetters', quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: { driveaway_dead_letters: '1x10 0x5' },
  },
  {
    ...{ alert: 'DriveawayNoticesNotPut', quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: { driveaway_notices_behind_seconds: '1801x10 0x5' },
  },
  {
    ...{ alert: 'DriveawayNoticesWait', quietAt: 14, firesAt: 16, resolvedAt: 21 },
    series: { driveaway_notices_oldest_seconds: '3601x20 0x5' },
  },
  {
    ...{ alert: 'DriveawayNoticesHeld', quietAt: 14, firesAt: 16, resolvedAt: 21 },
    series: { driveaway_notices_held_clients: '501x20 0x5' },
  },
  {
    ...{ alert: 'DriveawayNoticeDeadLetters', quietAt: 4, firesAt: 6, resolvedAt: 11 },
    series: { driveaway_notice_dead_letters: '1x10 0x5' },
  },
]

/** States that page nobody although a set is not Ready or not Loaded. */
export const quiet: Record<string, Record<string, string>> = {
  'a set that waits for its attestation': {
    [condition('Ready', 'AwaitingAttestation')]: '0x60',
    [condition('Loaded', 'Held')]: '0x60',
    [condition('Reconciling', 'AwaitingAttestation')]: '1x60',
    [condition('Stalled', '')]: '0x60',
  },
  'a set whose import waits for its attestation': {
    [condition('Ready', 'ImportHeld')]: '0x60',
    [condition('Stalled', '')]: '0x60',
  },
  'a set that is being loaded': {
    [condition('Ready', 'Published')]: '1x60',
    [condition('Loaded', 'Loading')]: '0x3 1x57',
  },
}
