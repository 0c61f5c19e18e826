import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import type { RunningProgram } from '../../inventory/programs.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNotice } from '../../notices/opened-outbox.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

/** So many here, so that the suite is quick; CLIENTS=10000 is the whole. */
const CLIENTS = Number(process.env['CLIENTS'] ?? 150)
const TIMEOUT = 120_000 + CLIENTS * 300

let rig: MailRig | undefined
afterEach(async () => {
  await rig?.close()
  rig = undefined
})

/** Draws numbers below 1 from a seed, so that a failure can be repeated. */
function drawing(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

test(
  'whatever a mail server puts off and whenever workers are killed, each client’s last mail is the last announcement, told once',
  async () => {
    const { mail, worker, put, store } = (rig = await startMailRig({ replicas: 1, bytes: 512 * 1024 ** 2 }))
    const draw = drawing(Number(process.env['SEED'] ?? 20_261_122))
    const seen = new Set<string>()
    // Greylisting: the first attempt at each address is put off.
    mail.answers.recipient = (address) => (seen.has(address) ? undefined : (seen.add(address), 451))
    const workers: RunningProgram[] = await Promise.all(
      ['one', 'two'].map((name) => worker(name, { SMTP_CONNECTIONS: '8', SMTP_TIMEOUT_SECONDS: '20' })),
    )
    const names = Array.from({ length: CLIENTS }, (_, at) => `dealer-${at}`)
    const announce = async (number: number) => {
      const changes = [{ ...aNotice().changes[0]!, new: `${number}.00` }]
      for (const client of names) {
        const digest = `${number}-${client}-`
        await put(digest, { client, number, changes }, [`rates@${client}.example`])
      }
    }
    const telling = (async () => {
      for (const number of [2, 3, 4]) await announce(number)
    })()
    for (let kill = 0; kill < 3; kill++) {
      await sleep(1_000 + draw() * 3_000)
      const at = Math.floor(draw() * workers.length)
      await workers[at]!.kill()
      workers[at] = await worker(`again-${kill}`, { SMTP_CONNECTIONS: '8', SMTP_TIMEOUT_SECONDS: '20' })
    }
    await telling
    const isEmpty = async () => (await store.manager.streams.info(DUE_CLIENTS)).state.messages === 0
    await waitFor('the end', isEmpty, { timeoutMs: TIMEOUT })
    const told = Map.groupBy(mail.taken, ({ recipients }) => recipients[0]!)
    expect(told.size).toBe(CLIENTS)
    const numbersOf = (client: string) =>
      told.get(`rates@${client}.example`)!.map(({ email }) => Number(/→ (\d)\.00/.exec(email.text ?? '')?.[1]))
    const wrong = names.filter((client) => {
      const numbers = numbersOf(client)
      const isRising = numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!)
      return numbers.at(-1) !== 4 || !isRising
    })
    expect(wrong).toEqual([])
    // A mail whose answer a killed worker did not write down goes out twice, of one Message-ID: at most those under way.
    const twice = names.filter((client) => new Set(numbersOf(client)).size < numbersOf(client).length)
    expect(twice.length).toBeLessThanOrEqual(3 * 8)
  },
  TIMEOUT + 60_000,
)
