import { expect, test } from 'vitest'
import { waitFor } from '../../harness/wait-for.ts'
import { configMap, configMapList, sendJson } from './scripted-server.ts'
import { added, hold, isWatch, watchScripted, type Script } from './scripted-watch.ts'

test('the watch asks for bookmarks and a timeout, and goes on from the resourceVersion of the last bookmark', async () => {
  const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '77' } } }
  const { requests } = await watchScripted((url, response, nth) => {
    if (!isWatch(url)) return sendJson(response, 200, configMapList(nth.list === 1 ? '10' : '77', []))
    hold(response, ...(nth.watch === 1 ? [bookmark] : []))
    if (nth.watch === 1) response.end()
  })
  await waitFor('the second watch', () => requests.length === 4)
  const [list, first, check, second] = requests.map(({ url }) => Object.fromEntries(url.searchParams))
  expect([list, check]).toEqual([{ limit: '500' }, { limit: '1' }])
  expect(first).toMatchObject({ allowWatchBookmarks: 'true', resourceVersion: '10' })
  expect(Number(first?.['timeoutSeconds'])).toBeGreaterThanOrEqual(240)
  expect(Number(first?.['timeoutSeconds'])).toBeLessThanOrEqual(300)
  expect(second).toMatchObject({ resourceVersion: '77' })
})

test('a relist by the clock tells what the stream withheld and counts it, but not what is newer than the stream', async () => {
  const lists = [
    [configMap('kept', '5'), configMap('lost', '6')],
    [configMap('kept', '5'), configMap('new', '8'), configMap('newer', '20')],
  ]
  const { told, metric } = await watchScripted(
    (url, response, nth) => {
      if (isWatch(url)) {
        hold(response)
        return void setTimeout(() => response.end(), 1_000)
      }
      sendJson(response, 200, configMapList(`${10 * nth.list}`, lists[nth.list - 1] ?? lists[1]!))
    },
    { relistMs: 900 },
  )
  await waitFor('the second list', () => told.length === 5)
  expect(told.slice(2)).toEqual([
    ['default/lost', false],
    ['default/new', true],
    ['default/newer', true],
  ])
  expect(await metric('driveaway_kube_watch_misses_total')).toMatchObject([{ value: 2 }])
})

test('an ERROR event with 410 leads to a new list, and an object made anew under the same name is told', async () => {
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } }
  const reborn = { ...configMap('b', '2'), metadata: { ...configMap('b', '2').metadata, uid: 'another' } }
  const { told, watch } = await watchScripted((url, response, nth) => {
    if (!isWatch(url) && nth.list === 1)
      return sendJson(response, 200, configMapList('3', [configMap('a', '1'), configMap('b', '2')]))
    if (!isWatch(url)) return sendJson(response, 200, configMapList('13', [reborn]))
    hold(response, ...(nth.watch === 1 ? [gone] : []))
  })
  await waitFor('the second list', () => told.length === 4)
  expect(told.slice(2)).toEqual([
    ['default/a', false],
    ['default/b', true],
  ])
  expect(watch.objects.get('default/b')?.metadata?.uid).toBe('another')
})

/** Half-open: the server has written more than it tells on the first stream. */
const halfOpen: Script = (url, response, nth) => {
  if (isWatch(url)) return hold(response)
  const items = nth.list === 1 ? [] : [configMap('late', '2')]
  sendJson(response, 200, configMapList(`${nth.list}`, items))
}

test('a silent stream is probed, and a collection that has changed meanwhile is listed again', async () => {
  const { told, requests, metric } = await watchScripted(halfOpen, { silentMs: 200, graceMs: 50 })
  await waitFor('what the stream did not tell', () => told.length === 1)
  expect(requests.slice(0, 4).map(({ url }) => url.searchParams.get('limit'))).toEqual(['500', null, '1', '500'])
  expect((await metric('driveaway_kube_watch_failures_total')).map(({ labels }) => labels['reason'])).toEqual([
    'SilentWatchError',
  ])
  expect(await metric('driveaway_kube_watch_probes_total')).toMatchObject([{ labels: { outcome: 'behind' }, value: 1 }])
})

test('a silent stream of a collection that has not changed is kept, and the probe counts as contact', async () => {
  const { watch, requests } = await watchScripted(
    (url, response) => (isWatch(url) ? hold(response) : sendJson(response, 200, configMapList('1', []))),
    { silentMs: 100, graceMs: 50 },
  )
  await watch.synced
  const first = watch.lastContact()?.getTime() ?? 0
  await waitFor('three probes', () => requests.filter(({ url }) => url.searchParams.get('limit') === '1').length === 3)
  expect(requests.filter(({ url }) => isWatch(url))).toHaveLength(1)
  expect(watch.lastContact()?.getTime()).toBeGreaterThan(first + 150)
})

test('a stream that speaks while it is probed is kept', async () => {
  const { told, requests, metric } = await watchScripted(
    (url, response, nth) => {
      if (!isWatch(url)) return sendJson(response, 200, configMapList(`${nth.list}`, []))
      hold(response)
      setTimeout(() => response.write(`${JSON.stringify(added('slow', '2'))}\n`), 250)
    },
    { silentMs: 200, graceMs: 500 },
  )
  await waitFor('the probe', async () => (await metric('driveaway_kube_watch_probes_total')).length === 1)
  expect(await metric('driveaway_kube_watch_probes_total')).toMatchObject([{ labels: { outcome: 'heard' } }])
  expect(told).toEqual([['default/slow', true]])
  expect(requests.filter(({ url }) => isWatch(url))).toHaveLength(1)
})

test('a silent stream whose server does not answer the probe is left, and the server is tried with back-off', async () => {
  const { watch, requests } = await watchScripted(
    (url, response, nth) => {
      if (isWatch(url)) return hold(response, ...(nth.watch === 1 ? [] : [added('again', '2')]))
      if (nth.list !== 2) return sendJson(response, 200, configMapList('1', []))
      sendJson(response, 503, { message: 'not now' })
    },
    { silentMs: 200, graceMs: 50 },
  )
  await waitFor('the second stream', () => watch.objects.size === 1)
  expect(requests.slice(0, 5).map(({ url }) => url.searchParams.get('limit'))).toEqual(['500', null, '1', '1', null])
})

test('after a restore, another content under the uid and the version of the one before is told', async () => {
  const { watch, told } = await watchScripted((url, response, nth) => {
    if (isWatch(url) && nth.watch === 1)
      return sendJson(response, 410, { code: 410, reason: 'Expired', message: 'old' })
    if (isWatch(url)) return hold(response)
    sendJson(response, 200, configMapList('9', [{ ...configMap('kept', '7'), data: { of: `list ${nth.list}` } }]))
  })
  await waitFor('the second list', () => watch.objects.get('default/kept')?.data?.['of'] === 'list 2')
  expect(told).toHaveLength(2)
})

test('a relist that is asked for ends the stream and tells every object again, even of a version that is known', async () => {
  const { watch, told, requests } = await watchScripted((url, response, nth) => {
    if (isWatch(url)) return hold(response)
    const content = { ...configMap('kept', '7'), data: { of: `list ${nth.list}` } }
    sendJson(response, 200, configMapList(`${10 - nth.list}`, [content]))
  })
  await watch.synced
  await Promise.all([watch.relist(), watch.relist()])
  expect(watch.objects.get('default/kept')?.data).toEqual({ of: `list ${told.length}` })
  expect(watch.resourceVersion()).toBe(`${10 - told.length}`)
  await waitFor(
    'a stream from the lower version',
    () => requests.at(-1)?.url.searchParams.get('resourceVersion') === '8',
  )
  expect(told).toHaveLength(2)
})

test('a relist that is asked for while the server is away is made when it is back, and ends with the watch', async () => {
  const { watch } = await watchScripted((url, response, nth) => {
    if (isWatch(url)) return hold(response)
    if (nth.list === 1) return sendJson(response, 200, configMapList('1', []))
    if (nth.list <= 3) return void response.destroy()
    if (nth.list === 4) return sendJson(response, 200, configMapList('2', [configMap('back', '2')]))
    sendJson(response, 503, {}, { 'retry-after': '60' })
  })
  await watch.synced
  await watch.relist()
  expect([...watch.objects.keys()]).toEqual(['default/back'])
  const never = watch.relist()
  await watch.stop()
  await never
})

test('processes that start together do not list together: each waits a little less than `relistMs`', async () => {
  const listsWith = async (drawn: number) => {
    const { requests } = await watchScripted(
      (url, response) => {
        if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
        hold(response)
        setTimeout(() => response.end(), 1_700)
      },
      { relistMs: 2_000, random: () => drawn },
    )
    await waitFor('the second stream', () => requests.filter(({ url }) => isWatch(url)).length === 2)
    return requests.filter(({ url }) => url.searchParams.get('limit') === '500').length
  }
  expect(await Promise.all([listsWith(0), listsWith(1)])).toEqual([1, 2])
})

test('a stream that has little to say, but says it, is kept', async () => {
  const { told, requests } = await watchScripted(
    (url, response) => {
      if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
      hold(response)
      for (let nth = 1; nth <= 6; nth += 1) {
        setTimeout(() => response.write(`${JSON.stringify(added('slow', `${nth}`))}\n`), 100 * nth)
      }
    },
    { silentMs: 300 },
  )
  await waitFor('all six', () => told.length === 6)
  expect(requests).toHaveLength(2)
})

test('a line that is no JSON ends the stream, which is taken up again where it was', async () => {
  const { told, requests } = await watchScripted((url, response, nth) => {
    if (!isWatch(url)) return sendJson(response, 200, configMapList(nth.list === 1 ? '1' : '4', []))
    hold(response, ...(nth.watch === 1 ? [added('one', '4')] : [added('two', '5')]))
    if (nth.watch === 1) response.write('{"type":\n')
  })
  await waitFor('both', () => told.length === 2)
  expect(requests.at(-1)?.url.searchParams.get('resourceVersion')).toBe('4')
})

test('an event in many small pieces, cut inside a letter, is read whole', async () => {
  const object = { ...configMap('pieces', '2'), data: { text: 'üöä'.repeat(10) } }
  const bytes = Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`)
  const { watch } = await watchScripted((url, response) => {
    if (!isWatch(url)) return sendJson(response, 200, configMapList('1', []))
    hold(response)
    // A pause after each piece, so that it travels alone.
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7))
    pieces.forEach((piece, at) => setTimeout(() => response.write(piece), 5 * at))
  })
  await waitFor('the event', () => watch.objects.size === 1)
  expect(watch.objects.get('default/pieces')?.data).toEqual(object.data)
})

test('it is healthy only while synced, and stop ends it in the middle of a wait', async () => {
  const { watch } = await watchScripted((_url, response) => sendJson(response, 503, {}, { 'retry-after': '60' }))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(watch.healthy()).toBe(false)
  const startedAt = performance.now()
  await watch.stop()
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
