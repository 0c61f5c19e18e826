import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { recipientOf, type Recipient } from '#notices/recipient.ts'
import { messageOf, type Message } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import { asJson } from '../output.ts'
import type { NamedClient } from './named-client.ts'

/** The e-mail that would be sent, or why none would be. */
export type Preview = ({ told: true; to: readonly string[] } & Message) | { told: false; reason: string }

export interface Previewed {
  old: readonly RateSetSpec[]
  now: readonly RateSetSpec[]
  release: string
  /** ISO date. */
  today: string
  /** When undefined, a client that receives every notice. */
  client: NamedClient | undefined
}

const ANY: Recipient = { client: 'NAME', to: [] }

/** The notice of a change as a client would receive it. Pure. */
export function previewNotice({ old, now, release, today, client }: Previewed): Preview {
  const recipient = client ? recipientOf(client.metadata.name, client.spec) : ANY
  if (!recipient)
    return { told: false, reason: `${client?.metadata.name} is suspended, or has no contact with notices: true` }
  const announced = { number: 0, release: '', sets: old }
  const telling = { environment: '', today: () => today, issuedAt: `${today}T00:00:00Z` }
  const [notice] = noticesOf(announced, { release, sets: now }, [recipient], telling)
  if (!notice) return { told: false, reason: `no figure that concerns ${client?.metadata.name ?? 'a client'} changes` }
  return { told: true, to: recipient.to, ...messageOf(notice) }
}

/** A preview as text, or as data with the HTML. */
export function previewText(preview: Preview, format: 'text' | 'json'): string {
  if (format === 'json') return asJson(preview)
  if (!preview.told) return `No client gets a mail: ${preview.reason}.`
  const { to, subject, text } = preview
  const addresses = to.length > 0 ? to.join(', ') : 'the contacts with notices: true of each client'
  return [`To: ${addresses}`, `Subject: ${subject}`, '', text.trimEnd()].join('\n')
}
