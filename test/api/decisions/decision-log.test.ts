import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Registry } from 'prom-client'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { quote } from '#rates/engine/quote/quote.ts'
import { createLog } from '#runtime/log.ts'
import { createDecisionLog, type DecisionLog, type Destination } from '../../../api/decisions/decision-log.ts'
import { fileDestination } from '../../../api/decisions/file-destination.ts'
import { DECISIONS_STREAM, jetStreamDestination } from '../../../api/decisions/jetstream-destination.ts'
import { readRequests } from '../../../cli/shadow/read-requests.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { startTestNats } from '../../harness/nats.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { committedRates } from '../contract/committed-rates.ts'
import { bearer, startPricingServer, suv } from '../pricing-server.ts'

// A pricing API on a socket that writes its decisions to real files and to a real nats-server.
const log = createLog({ name: 'test', level: 'silent' })
const folder = temporaryDirectory('decisions')
afterAll(() => folder.remove())
const snapshot = committedRates()

interface Logging {
  oneIn?: number
  random?: () => number
}

async function logging(destination: Destination, { oneIn = 1, random }: Logging = {}) {
  const registry = new Registry()
  const decisions: DecisionLog = createDecisionLog({
    ...{ destination, oneIn, log, registry, clock: Date.now, ...(random && { random }) },
  })
  const server = await startPricingServer(snapshot, undefined, { decisions })
  const token = await server.token()
  onTestFinished(async () => {
    await server.close()
    await decisions.stop()
  })
  const count = async (name: string, reason?: string): Promise<number> => {
    const { values } = (await registry.getSingleMetric(name)!.get()) as { values: { value: number; labels: object }[] }
    return (
      values.find(({ labels }) => reason === undefined || (labels as { reason: string }).reason === reason)?.value ?? 0
    )
  }
  return {
    token,
    decisions,
    post: async (body: unknown, path = '/v1/quote') => (await server.post(path, body, bearer(token))).status,
    written: () => count('driveaway_decisions_written_total'),
    lost: (reason: 'full' | 'failed') => count('driveaway_decisions_lost_total', reason),
  }
}

const entriesIn = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { release: string; driveAway?: number; code?: string; request: object })

test('quotes, items of a batch and refusals are written without anything that names a client or a person', async () => {
  const file = join(folder.path, 'redacted.jsonl')
  const { post, written, token } = await logging(fileDestination(file, 1e9))
  const secret = 'Jane Citizen VIN 6T1BF3FK50X123456'
  const telling = suv({
    pricingInputs: {
      dutiable: [
        { description: secret, value: 5_000_000 },
        { description: secret, kind: 'accessory', value: 100_000 },
      ],
      additional: [{ description: secret, value: 50_000 }],
      memo: secret,
    },
    customer: {
      customerType: 'consumer',
      usageType: 'consumer',
      name: secret,
      concession: { hasConcession: false, card: secret },
    },
    reference: secret,
  })
  expect([await post(telling), await post([telling, telling], '/v1/quote/batch')]).toEqual([200, 200])
  expect(await post(suv({ registration: { startDate: '2026-08-10', termMonths: 7 } }))).toBe(400)
  expect(await post(suv({ pricingCode: secret }))).toBe(400)
  expect(await post(suv({ customer: { concession: { hasConcession: true, type: secret } } }))).toBe(400)
  await waitFor('what is written', async () => (await written()) === 4)
  const text = readFileSync(file, 'utf8')
  for (const word of ['Jane', token, 'dealer', 'MEL01']) expect(text).not.toContain(word)
  expect(entriesIn(file).map(({ release, code }) => [release, code])).toEqual([
    ...Array.from({ length: 3 }, () => [snapshot.release, undefined]),
    [snapshot.release, 'UNSUPPORTED_REGISTRATION_TERM'],
  ])
  // What shadow reads prices as the client's own request did.
  const { logged, unreadable } = readRequests(file)
  expect([logged.length, unreadable]).toEqual([4, []])
  expect(quote(logged[0]!.request, snapshot).totals.driveAway).toBe(entriesIn(file)[0]!.driveAway)
})

test('one of so many is written', async () => {
  const file = join(folder.path, 'sampled.jsonl')
  let drawn = 0
  const { post, written } = await logging(fileDestination(file, 1e9), { oneIn: 4, random: () => (drawn++ % 8) / 8 })
  for (let at = 0; at < 16; at++) await post(suv())
  await waitFor('what is written', async () => (await written()) === 4)
  expect(entriesIn(file)).toHaveLength(4)
})

test('a file ends at its size, one more is kept, and a half line of before does not spoil the next one', async () => {
  const file = join(folder.path, 'turned.jsonl')
  writeFileSync(file, '{"request":{"pricingCode":"AU_V')
  const destination = fileDestination(file, 100)
  await destination.write(['{"a":1}'])
  expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual(['{"a":1}', ''])
  await destination.write([`{"b":"${'x'.repeat(80)}"}`])
  expect([existsSync(`${file}.1`), entriesIn(file)]).toEqual([true, [{ b: 'x'.repeat(80) }]])
})

test('with a disk that is full quotes are answered, and what is lost is counted', async () => {
  const { post, lost, written } = await logging(fileDestination('/dev/full', 1e9))
  expect([await post(suv()), await post(suv())]).toEqual([200, 200])
  await waitFor('what is lost', async () => (await lost('failed')) === 2)
  expect(await written()).toBe(0)
})

test('a destination that does not answer holds up no quote; what exceeds the queue is lost', async () => {
  let begun = 0
  const stuck: Destination = { write: () => (begun++, new Promise(() => undefined)), stop: async () => undefined }
  const { post, decisions, lost } = await logging(stuck)
  const request = suv() as never
  await post(suv())
  await waitFor('the first write', () => begun === 1)
  for (let at = 0; at < 1_005; at++) decisions.note(request, snapshot.release, { code: 'INCOMPLETE_QUOTE' })
  expect([await post(suv()), await lost('full'), begun]).toEqual([200, 6, 1])
}, 60_000)

const subjectOf = (url: string): Destination =>
  jetStreamDestination({
    ...{ url, secretDirectory: '', tls: 'offered', log, retryMs: 100 },
    ...{ subject: 'decisions', maxBytes: 1e6 },
  })

async function streamsOf(url: string) {
  const connection = await connect({ servers: url })
  onTestFinished(() => connection.close())
  return (await jetstreamManager(connection)).streams
}

test('a subject of JetStream has a message for each decision; while the server is away they are lost, and then written again', async () => {
  const nats = await startTestNats()
  onTestFinished(() => nats.close())
  const { post, written, lost } = await logging(subjectOf(nats.url))
  await waitFor('a decision', async () => (await post(suv()), (await written()) > 0))
  const streams = await streamsOf(nats.url)
  const message = await streams.getMessage(DECISIONS_STREAM, { seq: 1 })
  expect(message!.json<object>()).toMatchObject({ release: snapshot.release, request: { pricingCode: 'AU_VIC' } })
  await nats.stop()
  const before = await lost('failed')
  expect(await post(suv())).toBe(200)
  await waitFor('what is lost', async () => (await lost('failed')) > before, { timeoutMs: 30_000 })
  await nats.start()
  const then = await written()
  await waitFor('decisions again', async () => (await post(suv()), (await written()) > then), { timeoutMs: 30_000 })
}, 90_000)

test('a stream that is full and keeps what it has takes no decision; quotes are answered', async () => {
  const nats = await startTestNats()
  onTestFinished(() => nats.close())
  const streams = await streamsOf(nats.url)
  await streams.add({ name: DECISIONS_STREAM, subjects: ['decisions'], max_msgs: 2, discard: DiscardPolicy.New })
  const { post, lost } = await logging(subjectOf(nats.url))
  await waitFor('a full stream', async () => {
    expect(await post(suv())).toBe(200)
    return (await streams.info(DECISIONS_STREAM)).state.messages === 2
  })
  const before = await lost('failed')
  await waitFor('what is lost', async () => (await post(suv()), (await lost('failed')) > before), { timeoutMs: 30_000 })
  expect((await streams.info(DECISIONS_STREAM)).state.messages).toBe(2)
}, 90_000)
