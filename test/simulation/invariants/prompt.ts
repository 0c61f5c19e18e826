import type { ClientSpec } from '../plan/contents.ts'
import type { Write } from '../server/storage.ts'
import type { ClientsInvariants } from './clients.ts'
import { Violation } from './violation.ts'

/** What the design promises is a second; a run that is under way, and one answer that takes long, come on top of it. */
const PROMPT_MS = 3000

/** Where nothing goes wrong, a suspension is published at once, whatever else there is to do. */
export class PromptInvariants {
  readonly #clients: ClientsInvariants
  readonly #now: () => number
  /** Since when each suspension waits, by the name of its client. */
  readonly #waiting = new Map<string, number>()

  constructor(clients: ClientsInvariants, now: () => number) {
    this.#clients = clients
    this.#now = now
  }

  take({ type, object, previous }: Write): void {
    if (object.kind !== 'ShowroomClient' || type === 'DELETED' || object['spec'] === previous?.['spec']) return
    const { name } = object.metadata
    if (!(object['spec'] as ClientSpec).suspended) this.#waiting.delete(name)
    else if (!this.#waiting.has(name)) this.#waiting.set(name, this.#now())
  }

  check(): void {
    for (const [name, since] of this.#waiting) {
      const waitedMs = this.#now() - since
      if (this.#clients.bindings.get(name)?.suspended) this.#waiting.delete(name)
      else if (waitedMs > PROMPT_MS)
        throw new Violation('prompt', `the suspension of ${name} waits for ${(waitedMs / 1000).toFixed(1)} s`)
    }
  }
}
