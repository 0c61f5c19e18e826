import { expect, test } from 'vitest'
import { inventedSet } from '../invented-set.ts'
import { modelKube } from '../../simulation/server/model-kube.ts'
import { ModelServer } from '../../simulation/server/model-server.ts'
import { PublishedPlace } from './published-place.ts'

test('2,000 releases in a row, each kept for a quarter of an hour, are published', async () => {
  // On a model of kube-apiserver, which has its limits of size: a real one takes minutes for as many releases.
  const server = new ModelServer(() => place.now())
  const place: PublishedPlace = new PublishedPlace(modelKube(server), () => Promise.resolve())
  // A release every half second: two thousand of them take sixteen minutes, so the first are pruned at the end.
  const start = Date.now()
  const federal = inventedSet('AU')
  let first = 0
  for (let release = 1; release <= 2000; release++) {
    place.now = () => new Date(start + release * 500)
    const { isNew, index } = await place.publishNext(federal, inventedSet('AU_NSW', { fee: `${release}.00` }))
    expect(isNew).toBe(true)
    first ||= index.sequence
  }
  const { index, sets } = await place.read()
  expect(index.sequence).toBe(first + 1999)
  expect(sets.get('au-nsw-fy27')?.rules[0]?.cases[0]?.charge?.flat).toBe('2000.00')
  const sizes = (await place.maps('history')).map(({ data }) => Object.values(data ?? {}).join('').length)
  expect(Math.max(...sizes)).toBeLessThan(512 * 1024)
  // What was replaced more than a quarter of an hour ago is gone, the rest is there.
  const shards = (await place.maps('rates')).filter(({ metadata }) => metadata?.name?.includes('au-nsw'))
  expect(shards.length).toBeGreaterThan(1795)
  expect(shards.length).toBeLessThan(1805)
}, 120_000)
