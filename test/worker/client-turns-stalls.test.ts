import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClientTurns, type Place } from '../../worker/batches/client-turns.ts'
import { parameters } from '../rates/properties/parameters.ts'

const CLIENTS = ['a', 'b', 'c']
const STEPS = ['store a', 'store b', 'store c', 'tell', 'serve', 'answer', 'end', 'put aside'] as const
const ASIDE_MS = 300
type Step = (typeof STEPS)[number]

/**
 * A server with a worker that asks for batches. The server answers requests in their order; its words of stored batches
 * come in their order too, but before or after answers, as they please.
 */
class Exchange {
  readonly #turns = new ClientTurns({ running: 4, runningOfOne: 2, loading: 4, loadingBytes: 1_000 })
  readonly #stored = new Map(CLIENTS.map((client) => [client, 0]))
  readonly #untold: string[] = []
  readonly #requests: string[] = []
  readonly #answers: { client: string; waiting: number | undefined }[] = []
  readonly #places: { client: string; place: Place }[] = []
  readonly #aside: { client: string; till: number }[] = []
  #now = 0

  get left(): number {
    return [...this.#stored.values()].reduce((sum, count) => sum + count, this.#aside.length)
  }

  step(step: Step): void {
    if (step === 'tell') this.#tell()
    else if (step === 'serve') this.#serve()
    else if (step === 'answer') this.#answer()
    else if (step === 'end') this.#places.shift()?.place.end()
    else if (step === 'put aside') this.#putAside()
    else this.#store(step.slice('store '.length))
    for (let client = this.#turns.next(this.#now); client; client = this.#turns.next(this.#now))
      this.#requests.push(client)
  }

  /** Lets everything that is under way arrive, without any list of what waits. */
  settle(): void {
    for (let round = 0; round < 100; round++) {
      for (const step of ['tell', 'serve', 'answer', 'end'] as const) this.step(step)
      this.#now += 100
    }
  }

  #store(client: string): void {
    this.#stored.set(client, this.#stored.get(client)! + 1)
    this.#untold.push(client)
  }

  #tell(): void {
    const client = this.#untold.shift()
    if (client) this.#turns.tell(client)
  }

  #putAside(): void {
    const worked = this.#places.shift()
    if (!worked) return
    worked.place.end()
    const putAside = { client: worked.client, till: this.#now + ASIDE_MS }
    this.#aside.push(putAside)
    this.#turns.putAside(putAside.client, putAside.till)
  }

  /** What was put aside is delivered again without a word. */
  #takeUp(): void {
    while (this.#aside[0] && this.#aside[0].till <= this.#now) {
      const { client } = this.#aside.shift()!
      this.#stored.set(client, this.#stored.get(client)! + 1)
    }
  }

  #serve(): void {
    this.#takeUp()
    const client = this.#requests.shift()
    if (!client) return
    const stored = this.#stored.get(client)!
    this.#stored.set(client, Math.max(0, stored - 1))
    this.#answers.push({ client, waiting: stored === 0 ? undefined : stored - 1 })
  }

  #answer(): void {
    const answer = this.#answers.shift()
    if (!answer) return
    const { client, waiting } = answer
    if (waiting !== undefined) this.#places.push({ client, place: this.#turns.delivered(client, waiting) })
    else if (this.#turns.nothing(client, this.#now) && this.#stored.get(client) === 0) this.#turns.forget(client)
  }
}

test('whatever comes first, words of batches or answers, no batch lies till the next list', () => {
  const settled = (steps: readonly Step[]) => {
    const exchange = new Exchange()
    for (const step of steps) exchange.step(step)
    exchange.settle()
    expect(exchange.left).toBe(0)
  }
  const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 20, maxLength: 60 })
  fc.assert(fc.property(steps, settled), { seed: parameters.seed, numRuns: 2_000 })
})
