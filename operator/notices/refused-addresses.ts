import type { Mailbox } from '#notices/mailbox.ts'
import type { Outbox } from '#notices/outbox.ts'

/** How many addresses of each client permanently refused its last notice; shown in its status. */
export class RefusedAddresses {
  readonly #counts = new Map<string, number>()
  readonly #changed = new Set<string>()

  of(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  /** Reads all mailboxes. */
  async read({ mailboxes }: Pick<Outbox, 'mailboxes'>): Promise<void> {
    const counts = new Map([...(await mailboxes.list())].map(([client, { mailbox }]) => [client, refusedIn(mailbox)]))
    for (const client of new Set([...counts.keys(), ...this.#counts.keys()])) this.#set(client, counts.get(client) ?? 0)
  }

  /** Reads the mailbox of one client. */
  async readOne({ mailboxes }: Pick<Outbox, 'mailboxes'>, client: string): Promise<void> {
    this.#set(client, refusedIn((await mailboxes.read(client)).mailbox))
  }

  #set(client: string, count: number): void {
    if (this.of(client) === count) return
    this.#changed.add(client)
    if (count === 0) this.#counts.delete(client)
    else this.#counts.set(client, count)
  }

  /** The clients whose count changed since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }
}

const refusedIn = ({ waiting, last }: Mailbox): number => waiting?.refused.length || last?.refused || 0
