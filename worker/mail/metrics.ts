import { Counter, type Registry } from 'prom-client'
import { NOTICE_DEAD_LETTERS, DUE_CLIENTS } from '#notices/storage.ts'
import type { NoticeStore } from '#notices/store.ts'
import { askedGauges } from '#runtime/asked-gauge.ts'

export interface MailMetrics {
  sent(): void
  failed(): void
  buried(): void
}

/** Counts the outcomes of notices in this worker. */
export function mailMetrics(registry: Registry): MailMetrics {
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const sent = counter(
    'driveaway_notices_sent_total',
    'Notices that the mail server accepted for at least one recipient.',
  )
  const failed = counter(
    'driveaway_notice_attempts_failed_total',
    'Failed attempts after which the notice is tried again.',
  )
  const buried = counter(
    'driveaway_notices_given_up_total',
    'Notices given up, for all of their recipients or for some.',
  )
  return {
    sent: () => sent.inc(),
    failed: () => failed.inc(),
    buried: () => buried.inc(),
  }
}

/** Shows what waits in JetStream at each scrape; each worker shows the same, so take the maximum. */
export function showNotices(registry: Registry, store: () => NoticeStore | undefined, clock: () => number): void {
  const gauge = askedGauges(registry, store)
  const stateOf = async ({ manager }: NoticeStore, name: string) => (await manager.streams.info(name)).state
  gauge('driveaway_notices_waiting', 'Notices that wait to be mailed.', async (opened) => {
    return (await stateOf(opened, DUE_CLIENTS)).messages
  })
  gauge('driveaway_notices_oldest_seconds', 'Age of the oldest notice that waits.', async (opened) => {
    const { messages, first_ts: first } = await stateOf(opened, DUE_CLIENTS)
    return messages === 0 ? 0 : (clock() - Date.parse(first)) / 1000
  })
  gauge('driveaway_notice_dead_letters', 'Notices that were given up and are kept as dead letters.', async (opened) => {
    return (await stateOf(opened, NOTICE_DEAD_LETTERS)).messages
  })
}
