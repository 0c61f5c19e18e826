import { afterEach, expect, test } from 'vitest'
import { readContract, type ContractOperation } from '../../../api/http/contract.ts'
import { createExaminer, type Examiner } from '../../../api/inventory/examiner.ts'
import { createLog } from '../../../runtime/log.ts'
import { waitFor } from '../../harness/wait-for.ts'

const log = createLog({ name: 'test', level: 'silent' })
const contract = await readContract(new URL('../../../api/inventory/openapi.yaml', import.meta.url), {
  firstFaultOnly: true,
})
const operation = contract.operations.find(({ operationId }) => operationId === 'createBatch')!
const thread = (name: string) => new URL(`threads/${name}.ts`, import.meta.url)

let examiner: Examiner
afterEach(() => examiner.stop())

const LARGE = 100_000
const parts = (header: object = {}) => ({ header, path: {}, query: {} })
const large = (word: string) => Buffer.from(word + ' '.repeat(LARGE))
const batchOf = (size: number, change: object = {}) =>
  Buffer.from(
    JSON.stringify({
      source_name: 'x',
      items: [{ vehicle: { source_id: 'a', description: 'x'.repeat(size) } }],
      ...change,
    }),
  )
const examine = (clientId: string, bytes: Buffer, header?: object) =>
  examiner.examine(operation as ContractOperation, clientId, { bytes, parts: parts(header) })

test('a large batch has the answer that a small one has: its facts, its bytes, or all that is wrong with it', async () => {
  examiner = createExaminer({ log })
  await examiner.warm()
  for (const change of [{}, { moderate_images: false }, { source_name: 1 }, { items: [{ vehicle: {} }, { vehicle: {} }] }]) {
    for (const header of [{}, { 'idempotency-key': 'k' }]) {
      const answers = []
      for (const size of [10, LARGE]) {
        // Equal but for a field that nobody looks at; the large one has its text outside of what is compared.
        const bytes = Buffer.concat([batchOf(10, change), Buffer.from(' '.repeat(size))])
        const { length } = bytes
        const answer = await examine('a', bytes, header).then(
          ({ bytes: kept, ...facts }) => ({ ...facts, kept: Buffer.from(kept).equals(Buffer.concat([batchOf(10, change), Buffer.from(' '.repeat(size))])), all: kept.length === length }),
          ({ code, message, errors }: Record<string, unknown>) => ({ code, message, errors }),
        )
        answers.push(answer)
      }
      expect(answers[1]).toEqual(answers[0])
    }
  }
})

/** Two numbers that a test and the slow thread share: batches that were begun, and batches that are let go. */
function gate() {
  const numbers = new Int32Array(new SharedArrayBuffer(8))
  return {
    numbers,
    begun: () => Atomics.load(numbers, 0),
    letGo: (count: number) => {
      Atomics.add(numbers, 1, count)
      Atomics.notify(numbers, 1)
    },
  }
}

test('while a large batch is worked on, however long that takes, small ones are answered', async () => {
  examiner = createExaminer({ log, entry: thread('slow') })
  const { numbers, begun, letGo } = gate()
  let isAnswered = false
  const slow = examine('hostile', large('{'), { gate: numbers }).then(() => (isAnswered = true))
  await waitFor('the thread at work', () => begun() === 1)
  for (let count = 0; count < 200; count += 1) expect((await examine('other', batchOf(10))).sourceIds.length).toBe(1)
  expect(isAnswered).toBe(false)
  letGo(1)
  await slow
})

test('each client has its turn: of many large batches of one, one is before that of another', async () => {
  examiner = createExaminer({ log, entry: thread('slow') })
  const { numbers, begun, letGo } = gate()
  const order: string[] = []
  const send = (clientId: string) =>
    examine(clientId, large('{'), { gate: numbers }).then(() => void order.push(clientId))
  const all = Array.from({ length: 30 }, () => send('hostile'))
  await waitFor('the thread at work', () => begun() === 1)
  all.push(send('other'), send('third'), send('other'))
  letGo(all.length)
  await Promise.all(all)
  // The one that was at work, then each in its turn.
  expect(order.slice(0, 6)).toEqual(['hostile', 'hostile', 'other', 'third', 'hostile', 'other'])
})

test('a batch whose thread is lost is 503, and the next one has a new thread', async () => {
  examiner = createExaminer({ log, entry: thread('dies') })
  for (let round = 0; round < 3; round += 1) {
    await expect(examine('a', large('end'))).rejects.toMatchObject({ code: 'not_ready', headers: { 'retry-after': '2' } })
    expect(await examine('a', large('{'))).toMatchObject({ items: 1 })
  }
})

test('a batch that takes longer than it may is 503, and holds nobody else up for ever', async () => {
  examiner = createExaminer({ log, entry: thread('dies'), deadlineMs: 300 })
  const hung = examine('a', large('hang'))
  const next = examine('b', large('{'))
  await expect(hung).rejects.toMatchObject({ code: 'not_ready' })
  expect(await next).toMatchObject({ items: 1 })
})

test('what a thread cannot load is no batch’s fault, and is said before the process is ready', async () => {
  examiner = createExaminer({ log, entry: thread('is-not-there') })
  await expect(examiner.warm()).rejects.toThrow('is-not-there')
  await expect(examine('a', large('{'))).rejects.toMatchObject({ code: 'not_ready' })
})
