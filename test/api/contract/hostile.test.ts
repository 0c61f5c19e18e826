import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPricingApi, type RunningApi } from '../../../tools/contract/api.ts'
import { hostileBodies, type Hostile } from './hostile-bodies.ts'
import { suv, vehicle } from './requests.ts'

// The program as it is deployed, in a process of its own, so that its memory is its own.
let api: RunningApi
const folder = mkdtempSync(join(tmpdir(), 'driveaway-hostile-'))
beforeAll(async () => {
  api = await startPricingApi(folder)
})
afterAll(async () => {
  await api?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function post(path: string, { body, headers }: Pick<Hostile, 'body' | 'headers'>) {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${api.token}`, ...headers }
  const response = await fetch(`${api.url}${path}`, { method: 'POST', headers: all, body: body as string })
  return { status: response.status, body: (await response.json()) as { code?: string; message?: string } }
}

async function residentBytes(): Promise<number> {
  const metrics = await (await fetch(`${api.healthUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1])
}

for (const hostile of hostileBodies()) {
  test(`${hostile.name} is ${hostile.statuses.join(' or ')}`, async () => {
    const { status, body } = await post('/v1/quote', hostile)
    expect([hostile.name, hostile.statuses.includes(status), status]).toEqual([hostile.name, true, status])
    if (status >= 400) expect(body).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\w/) })
  })
}

test('a query that is no UTF-8 is 400', async () => {
  const headers = { authorization: `Bearer ${api.token}` }
  const ask = (word: string) => fetch(`${api.url}/v1/rules?pricingCode=AU_VIC&date=2026-08-10&showroomCode=MEL01${word}`, { headers })
  expect((await ask('')).status).toBe(200)
  const response = await ask('%ff')
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'bad_request', message: expect.stringContaining('not UTF-8') })])
})

const WRONG = [null, true, 0.5, -1, 1e21, '', 'x', '\u0000', [], [[]], {}, { value: 1 }]

test('a value of a wrong type in any field is a clear 400, or one that the field takes', async () => {
  for (const path of pathsOf(suv())) {
    for (const wrong of WRONG) {
      const body = JSON.stringify(replaced(suv(), path, wrong))
      const answer = await post('/v1/quote', { body })
      const clear =
        answer.status === 200 || (answer.status === 400 && answer.body.code !== undefined) || answer.status === 403
      expect([path.join('.'), wrong, clear, answer.status]).toEqual([path.join('.'), wrong, true, answer.status])
    }
  }
})

test('a batch that is as costly as can be is answered in seconds', async () => {
  const words = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 0]))
  const dutiable = Array.from({ length: 50 }, () => ({ description: '', value: 1, ...words(45) }))
  const item = suv({ pricingInputs: { dutiable, additional: dutiable }, ...vehicle(words(90)) })
  const size = JSON.stringify(item).length
  const items = Array.from({ length: Math.min(25, Math.floor(1_000_000 / size)) }, () => item)
  const start = performance.now()
  const { status } = await post('/v1/quote/batch', { body: JSON.stringify(items) })
  expect([status, performance.now() - start < 5_000]).toEqual([200, true])
})

test('memory stays bounded while hostile bodies come in from many sides', async () => {
  const bodies = hostileBodies()
  const before = await residentBytes()
  let most = before
  const timer = setInterval(
    () =>
      void residentBytes().then(
        (bytes) => (most = Math.max(most, bytes)),
        () => undefined,
      ),
    100,
  )
  const large = bodies.filter(({ statuses }) => statuses.includes(413))
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([...bodies, ...large, ...large, ...large].map((hostile) => post('/v1/quote', hostile)))
  }
  clearInterval(timer)
  // Sixteen bodies of 10 MB and as many bombs of 100 MB at a time would be gigabytes if they were kept.
  expect((most - before) / 1024 / 1024).toBeLessThan(200)
  expect((await post('/v1/quote', { body: JSON.stringify(suv()) })).status).toBe(200)
})

type Path = (string | number)[]

/** Every field of a value, the outer ones first. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return at.length > 0 ? [at] : []
  const inner = Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, key]))
  return at.length > 0 ? [at, ...inner] : inner
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>
  copy[first] = replaced(copy[first], rest, by)
  return copy
}
