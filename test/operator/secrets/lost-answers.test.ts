import { expect, test } from 'vitest'
import { world } from './secret-world.ts'

test('a Secret counts as made although the answer to its creation was lost', async () => {
  const lossy = world((name, attempt, object) => {
    if (attempt > 1) return undefined
    lossy.stored.set(name, structuredClone(object))
    return new Error('socket hang up')
  })
  await lossy.secrets.ensure(['east'])
  expect([...(lossy.secrets.takeMade?.() ?? [])]).toEqual(['east'])
})

test.each([
  ['counts as made once the watch delivers it', undefined, ['east']],
  ['that somebody else made in the end does not count as made', 'x'.repeat(43), []],
])('a Secret whose creation was not answered for seconds %s', async (_, others, made) => {
  const lossy = world((name, attempt, object) => {
    if (attempt === 1) lossy.stored.set(name, structuredClone(object))
    lossy.pass(5000)
    return new Error('timeout')
  })
  const { secrets, stored, seen, pass } = lossy
  const counted = () => [...(secrets.takeMade?.() ?? [])]
  await secrets.ensure(['east'])
  expect([counted(), secrets.fault('east')?.check]).toEqual([[], 'client-secret'])
  const { data } = stored.get('east') ?? {}
  seen.set('east', { data: others ? { clientSecret: Buffer.from(others).toString('base64') } : data })
  pass(1000)
  await secrets.ensure(['east'])
  expect([counted(), secrets.fault('east')]).toEqual([made, undefined])
  await secrets.ensure(['east'])
  expect(counted()).toEqual([])
})

test('a Secret whose creation was not answered, and that is found by the next try, counts as made', async () => {
  const lossy = world((name, attempt, object) => {
    if (attempt > 1) return undefined
    lossy.stored.set(name, structuredClone(object))
    lossy.pass(5000)
    return new Error('timeout')
  })
  await lossy.secrets.ensure(['east'])
  lossy.pass(1000)
  await lossy.secrets.ensure(['east'])
  expect([...(lossy.secrets.takeMade?.() ?? [])]).toEqual(['east'])
})

test('a Secret that was told of before its creation was answered is not told of again', async () => {
  const told: string[] = []
  const lossy = world((name, _attempt, object) => {
    lossy.stored.set(name, structuredClone(object))
    lossy.seen.set(name, object)
    told.push(...(lossy.secrets.takeMade?.() ?? []))
    return undefined
  })
  await lossy.secrets.ensure(['east'])
  expect(told).toEqual(['east'])
  expect([...(lossy.secrets.takeMade?.() ?? [])]).toEqual([])
})
