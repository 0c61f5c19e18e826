import type { Card } from '#notices/cards.ts'
import type { Outbox } from '#notices/outbox.ts'
import { recipientOf } from '#notices/recipient.ts'
import { sign, verified, type SigningKey } from '#notices/signing.ts'
import type { ShowroomClientObject } from '../showroom-client/object.ts'
import type { ReleaseTeller } from './release-teller.ts'

type Around = Pick<ReleaseTeller, 'clients' | 'client' | 'key'>

/** Brings the cards of all clients up to date, and forgets what is kept for clients that no longer exist. */
export async function syncCards({ clients, client, key }: Around, outbox: Outbox): Promise<void> {
  const [cards, boxes, signing] = await Promise.all([outbox.cards.list(), outbox.mailboxes.list(), key()])
  for (const object of clients()) {
    const card = cardOf(object)
    const token = cards.get(object.metadata.name)
    if (!(await isCardOf(token, card, signing))) await writeCard(outbox, object.metadata.name, card, signing)
  }
  for (const name of new Set([...cards.keys(), ...boxes.keys()])) if (!client(name)) await forget(outbox, name)
}

/** Brings the card of one client up to date: from then on its notices go to whom its object names now. */
export async function syncCard({ client, key }: Around, outbox: Outbox, name: string): Promise<void> {
  const object = client(name)
  if (!object) return forget(outbox, name)
  const [token, signing] = await Promise.all([outbox.cards.read(name), key()])
  const card = cardOf(object)
  if (await isOfAnother(token, object, signing)) await outbox.mailboxes.remove(name)
  if (await isCardOf(token, card, signing)) return
  await writeCard(outbox, name, card, signing)
  await forgetRefusals(outbox, name)
}

/** New addresses refused nothing yet. */
async function forgetRefusals({ mailboxes }: Outbox, name: string): Promise<void> {
  const { mailbox, revision } = await mailboxes.read(name)
  const { last } = mailbox
  if (last?.refused) await mailboxes.write(name, { ...mailbox, last: { ...last, refused: 0 } }, revision)
}

function cardOf({ metadata, spec }: ShowroomClientObject): Card | undefined {
  const recipient = recipientOf(metadata.name, spec)
  return recipient && { client: metadata.name, uid: metadata.uid, to: recipient.to }
}

async function isCardOf(token: string | undefined, card: Card | undefined, key: SigningKey): Promise<boolean> {
  if (!token || !card) return !token && !card
  const found = await readCard(token, key)
  return found?.uid === card.uid && found.to.join('\n') === card.to.join('\n')
}

/** Whether a card is that of an object of the same name that was deleted: what waits was for others. */
async function isOfAnother(token: string | undefined, { metadata }: ShowroomClientObject, key: SigningKey) {
  const found = token === undefined ? undefined : await readCard(token, key)
  return found !== undefined && found.uid !== metadata.uid
}

/** What a card says, where our present key signed it. */
const readCard = (token: string, key: SigningKey): Promise<Card | undefined> =>
  verified<Card>('recipient', token, [key]).catch(() => undefined)

async function writeCard(outbox: Outbox, name: string, card: Card | undefined, key: SigningKey): Promise<void> {
  if (!card) return outbox.cards.remove(name)
  await outbox.cards.write(name, await sign('recipient', card, key))
}

async function forget(outbox: Outbox, name: string): Promise<void> {
  await outbox.mailboxes.remove(name)
  await outbox.cards.remove(name)
}
