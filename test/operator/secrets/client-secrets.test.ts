import { expect, test } from 'vitest'
import { refusal, world } from './secret-world.ts'

test.each([
  [422, 'Secret "bad" is invalid'],
  [403, 'exceeded quota: secrets, requested: count/secrets=1, used: 10, limited: 10'],
])(
  'a Secret that the server refuses with %i is a fault of its name, and the others are made',
  async (code, message) => {
    const { secrets } = world((name) => (name === 'bad' ? refusal(code, message) : undefined))
    await secrets.ensure(['good', 'bad', 'other'])
    expect(secrets.text('good')).toHaveLength(43)
    expect(secrets.text('other')).toHaveLength(43)
    expect(secrets.fault('good')).toBeUndefined()
    expect(secrets.fault('bad')?.check).toBe('client-secret')
    expect(secrets.fault('bad')?.message).toContain(`Secret bad could not be created: POST secrets: ${code} ${message}`)
  },
)

test('Secrets that the watch delivers while the last one is made need no other run', async () => {
  const { secrets, stored, seen } = world((name) => {
    for (const [made, secret] of stored) seen.set(made, secret)
    // As if its event came before its answer.
    if (name === 'last') seen.set(name, { metadata: { name } })
    return undefined
  })
  await secrets.ensure(['first', 'last'])
  expect(secrets.retryAfterMs()).toBeUndefined()
})

test('a Secret is own while it is made and once it is made, in just that version', async () => {
  const own: boolean[] = []
  const version = (name: string, uid: string, resourceVersion = '1') => ({ metadata: { name, uid, resourceVersion } })
  const { secrets, stored } = world((name) => {
    own.push(secrets.isOwn?.(version(name, 'anything')) === true)
    return undefined
  })
  expect(secrets.isOwn?.(version('east', 'anything'))).toBe(false)
  await secrets.ensure(['east'])
  const { uid = '', resourceVersion } = stored.get('east')?.metadata ?? {}
  const isOwn = (...of: Parameters<typeof version>) => secrets.isOwn?.(version(...of))
  expect([...own, isOwn('east', uid, resourceVersion)]).toEqual([true, true])
  expect([isOwn('east', 'another', resourceVersion), isOwn('east', uid, 'changed')]).toEqual([false, false])
})

test('a refused Secret that somebody supplies is not due again', async () => {
  const { secrets, seen, pass } = world(() => refusal(403, 'exceeded quota'))
  await secrets.ensure(['east'])
  expect(secrets.retryAfterMs()).toBe(1000)
  seen.set('east', { metadata: { name: 'east' } })
  pass(2000)
  await secrets.ensure(['east'])
  expect(secrets.retryAfterMs()).toBeUndefined()
})

test('a Secret of another type is a fault, and is looked for again within half a minute until it is gone', async () => {
  const { secrets, foreign, pass } = world()
  foreign.add('east')
  const waits: (number | undefined)[] = []
  for (let time = 0; time < 7; time++) {
    await secrets.ensure(['east'])
    expect(secrets.fault('east')?.message).toBe('Secret east has another type and is not read')
    waits.push(secrets.retryAfterMs())
    pass(waits.at(-1) ?? 0)
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  foreign.delete('east')
  await secrets.ensure(['east'])
  expect([secrets.fault('east'), secrets.text('east')?.length]).toEqual([undefined, 43])
})

test('a Secret of the right type in the cache counts, though the server had none when it was asked', async () => {
  const { secrets, foreign, seen } = world()
  foreign.add('east')
  const data = { clientSecret: Buffer.from('x'.repeat(43)).toString('base64') }
  await secrets.ensure(['east'])
  seen.set('east', { metadata: { name: 'east' }, data })
  expect([secrets.fault('east'), secrets.text('east')]).toEqual([undefined, 'x'.repeat(43)])
})

test('thousands of Secrets of another type are all tried in one run, and keep no other waiting', async () => {
  const { secrets, foreign, attempts } = world(() => undefined, 100)
  const names = Array.from({ length: 3000 }, (_, number) => `foreign-${number}`)
  for (const name of names) foreign.add(name)
  await secrets.ensure([...names, 'east'])
  expect([attempts.size, secrets.fault('east')]).toEqual([3001, undefined])
})

test('a Secret that somebody else made meanwhile does not count as made', async () => {
  const { secrets, stored } = world()
  const data = { clientSecret: Buffer.from('x'.repeat(43)).toString('base64') }
  stored.set('east', { metadata: { name: 'east' }, data })
  await secrets.ensure(['east'])
  expect([secrets.text('east'), secrets.takeMade?.().size]).toEqual(['x'.repeat(43), 0])
})

test('the fault never shows the secret, even where the answer of the server does', async () => {
  const tried: string[] = []
  const { secrets } = world((name) => {
    tried.push(name)
    return refusal(500, 'a webhook repeats what it was sent:')
  })
  await secrets.ensure(['bad'])
  expect(tried).toHaveLength(3)
  expect(secrets.fault('bad')?.message).toContain('{"clientSecret":"..."}')
})

test('a server that fails is tried three times, and a refusal once', async () => {
  const { secrets, attempts } = world((name, attempt) => {
    if (name === 'refused') return refusal(403, 'no')
    return name === 'busy' && attempt < 3 ? refusal(503, 'busy') : undefined
  })
  await secrets.ensure(['refused', 'busy'])
  expect(attempts).toEqual(
    new Map([
      ['refused', 1],
      ['busy', 3],
    ]),
  )
  expect(secrets.text('busy')).toHaveLength(43)
})

test('a refused Secret is tried again later and later, and made when it can be', async () => {
  let isRefused = true
  const { secrets, attempts, pass } = world(() => (isRefused ? refusal(403, 'quota') : undefined))
  await secrets.ensure(['bad'])
  await secrets.ensure(['bad'])
  expect(attempts.get('bad')).toBe(1)
  const waits: number[] = []
  for (let round = 0; round < 12; round++) {
    const wait = secrets.retryAfterMs() ?? 0
    waits.push(wait)
    pass(wait)
    await secrets.ensure(['bad'])
  }
  expect(attempts.get('bad')).toBe(13)
  expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000])
  expect(waits.at(-1)).toBe(300_000)
  isRefused = false
  pass(300_000)
  await secrets.ensure(['bad'])
  expect(secrets.fault('bad')).toBeUndefined()
  // Made, and to be looked at.
  expect(secrets.retryAfterMs()).toBe(2000)
})

test('a refused name that no client has any more is forgotten', async () => {
  const { secrets } = world(() => refusal(422, 'no'))
  await secrets.ensure(['bad'])
  await secrets.ensure([])
  expect(secrets.retryAfterMs()).toBeUndefined()
})

/** A cluster in which each creation but that of `good` takes 5 s and fails. */
function slowWorld() {
  const slow = world((name) => {
    if (name === 'good') return undefined
    slow.pass(5000)
    return refusal(500, 'a webhook does not answer')
  })
  return slow
}

test('servers that fail slowly do not hold up a publication for long', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `slow-${at}`)
  const { secrets, attempts } = slowWorld()
  await secrets.ensure(names)
  expect(attempts.size).toBeLessThan(20)
  for (const name of names) expect(secrets.fault(name)).toBeDefined()
})

test('Secrets that fail slowly, again and again, keep no other name waiting for its first try', async () => {
  const names = [...Array.from({ length: 24 }, (_, at) => `slow-${at}`), 'good']
  const { secrets, pass } = slowWorld()
  for (let run = 0; run < 10; run++) {
    await secrets.ensure(names)
    pass(secrets.retryAfterMs() ?? 0)
  }
  expect(secrets.text('good')).toHaveLength(43)
})

test('while Secrets fail slowly, those that were not tried wait for half a minute', async () => {
  const names = Array.from({ length: 24 }, (_, at) => `slow-${at}`)
  const { secrets, attempts, pass } = slowWorld()
  await secrets.ensure(names)
  const tried = attempts.size
  pass(29_000)
  await secrets.ensure(names)
  expect(attempts.size).toBe(tried)
  pass(30_000)
  await secrets.ensure(names)
  expect(attempts.size).toBeGreaterThan(tried)
})

test('Secrets that the watch lacks are not looked for while something more urgent waits', async () => {
  const { secrets, stored, pass } = world()
  await secrets.ensure(['client'])
  const first = secrets.text('client')
  stored.clear()
  pass(2000)
  await secrets.ensure(['client'], () => true)
  expect(secrets.text('client')).toBe(first)
})

test('a Secret that was made and deleted before the watch saw it is made again', async () => {
  const { secrets, stored, pass } = world()
  await secrets.ensure(['client'])
  const first = secrets.text('client')
  stored.delete('client')
  // No event may tell of the two: another run is due without one.
  expect(secrets.retryAfterMs()).toBe(2000)
  pass(2000)
  await secrets.ensure(['client'])
  expect(stored.has('client')).toBe(true)
  expect(secrets.text('client')).not.toBe(first)
})

test('a Secret that the watch lacks and that cannot be read counts as it was, and is verified later', async () => {
  const { secrets, stored, unread, reads, pass } = world()
  const names = ['east', ...Array.from({ length: 100 }, (_, number) => `client-${number}`)]
  await secrets.ensure(names)
  const text = secrets.text('east')
  for (const name of names) unread.add(name)
  pass(2000)
  await secrets.ensure(names)
  expect([secrets.text('east'), secrets.fault('east'), secrets.isAtRest?.()]).toEqual([text, undefined, false])
  // The others are left to a later run: those that failed took long enough.
  expect(reads.length).toBeLessThan(20)
  expect(new Set(reads.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([5000]))
  unread.clear()
  stored.delete('east')
  await secrets.ensure(names)
  await secrets.ensure(names)
  expect(secrets.text('east')).not.toBe(text)
})
