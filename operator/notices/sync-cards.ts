import type { Card } from '#notices/cards.ts'
import type { Outbox } from '#notices/outbox.ts'
import { recipientOf } from '#notices/recipient.ts'
import { sign, unverified, verified, type SigningKey, type SigningPair } from '#notices/signing.ts'
import { unlessConflict } from '#runtime/nats/jetstream-error.ts'
import { identityOf } from '../showroom-client/identity.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'
import type { ReleaseTeller } from './release-teller.ts'

type Around = Pick<ReleaseTeller, 'clients' | 'client' | 'key'>

/** Updates the cards of all clients, and deletes what is stored for clients that no longer exist. */
export async function syncCards({ clients, client, key }: Around, outbox: Outbox): Promise<void> {
  const [cards, boxes, signing] = await Promise.all([outbox.cards.list(), outbox.mailboxes.list(), key()])
  for (const object of clients()) {
    const { name } = object.metadata
    const { last, waiting } = boxes.get(name)?.mailbox ?? {}
    const hasRefusals = (last?.refused ?? 0) + (waiting?.refused.length ?? 0) > 0
    await bringUpToDate(outbox, object, { token: cards.get(name), signing, hasRefusals })
  }
  for (const name of new Set([...cards.keys(), ...boxes.keys()])) if (!client(name)) await forget(outbox, name)
}

/** Updates the card of one client: its notices then go to the addresses that its object names now. */
export async function syncCard({ client, key }: Around, outbox: Outbox, name: string): Promise<void> {
  const object = client(name)
  if (!object) return forget(outbox, name)
  const [token, signing] = await Promise.all([outbox.cards.read(name), key()])
  await bringUpToDate(outbox, object, { token, signing, hasRefusals: true })
}

interface Standing {
  /** The stored card. */
  token: string | undefined
  signing: SigningPair
  /** Whether addresses may have refused the last notice. */
  hasRefusals: boolean
}

async function bringUpToDate(
  outbox: Outbox,
  object: ShowroomClientObject,
  { token, signing, hasRefusals }: Standing,
): Promise<void> {
  const { name } = object.metadata
  const card = cardOf(object)
  const found = token === undefined ? undefined : await readCard(token, signing)
  // The card belongs to a deleted object of the same name, so the waiting notice was for others.
  if (found && found.uid !== identityOf(object)) await outbox.mailboxes.remove(name)
  // A client without recipients may have new refusals: an attempt may have ended after its card was removed.
  const hasOthers = !card || !token || !isOf(token, card)
  // Before the card: while the old card is stored, an interrupted run is repeated.
  if (hasRefusals && hasOthers) await forgetRefusals(outbox, name, card)
  const isKept = found && card ? isSame(found, card) : !token && !card
  if (!isKept) await writeCard(outbox, name, card, signing)
}

const isSame = (a: Card, b: Card): boolean => a.uid === b.uid && a.to.join('\n') === b.to.join('\n')

/**
 * Whether a stored card names these addresses, with any signature: refusals still count when only the key has changed.
 */
function isOf(token: string, card: Card): boolean {
  try {
    return isSame(unverified<Card>(token), card)
  } catch {
    return false
  }
}

/** Deletes the refusals of former addresses. A mailbox that a worker changed meanwhile is read again. */
async function forgetRefusals({ mailboxes }: Outbox, name: string, card: Card | undefined): Promise<void> {
  for (;;) {
    const { mailbox, revision } = await mailboxes.read(name)
    const { last, waiting } = mailbox
    const stays = waiting?.refused.filter((address) => card?.to.includes(address)) ?? []
    if (!last?.refused && stays.length === (waiting?.refused.length ?? 0)) return
    const forgotten = {
      ...mailbox,
      ...(last && { last: { ...last, refused: 0 } }),
      ...(waiting && { waiting: { ...waiting, refused: stays } }),
    }
    if (await mailboxes.write(name, forgotten, revision).then(() => true, unlessConflict)) return
  }
}

function cardOf(object: ShowroomClientObject): Card | undefined {
  const { metadata, spec } = object
  const recipient = recipientOf(metadata.name, spec)
  return recipient && { client: metadata.name, uid: identityOf(object), to: recipient.to }
}

/** The content of a card that our current key signed. */
const readCard = (token: string, { kid, publicKey }: SigningPair): Promise<Card | undefined> =>
  verified<Card>('recipient', token, [{ kid, key: publicKey }]).catch(() => undefined)

async function writeCard(outbox: Outbox, name: string, card: Card | undefined, key: SigningKey): Promise<void> {
  if (!card) return outbox.cards.remove(name)
  await outbox.cards.write(name, await sign('recipient', card, key))
}

async function forget(outbox: Outbox, name: string): Promise<void> {
  await outbox.mailboxes.remove(name)
  await outbox.cards.remove(name)
}
