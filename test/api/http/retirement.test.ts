import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createApp, createRouter } from '../../../api/http/app.ts'
import { readContract } from '../../../api/http/contract.ts'
import { announcing } from '../../../api/http/retirement.ts'
import { serve } from '../../../api/http/serve.ts'
import { ApiError } from '../../../api/errors.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { appServices } from '../app-services.ts'

const folder = temporaryDirectory('retirement')
afterAll(() => folder.remove())

/** A contract whose operation `listOld` has these lines. */
function contractOf(...lines: string[]): URL {
  const file = join(folder.path, 'openapi.yaml')
  const head = ['openapi: 3.0.3', 'info: { title: t, version: 1.0.0 }', 'paths:']
  const stays = ['  /new:', '    get:', '      operationId: listNew', "      responses: { '200': { description: d } }"]
  const goes = ['  /old:', '    get:', '      operationId: listOld', "      responses: { '200': { description: d } }"]
  writeFileSync(file, [...head, ...stays, ...goes, ...lines.map((line) => `      ${line}`)].join('\n'))
  return pathToFileURL(file)
}

test('every answer of an operation that goes says since when and until when, a refusal too', async () => {
  const dates = [
    'deprecated: true',
    "x-deprecated-from: '2027-07-01'",
    "x-sunset: '2028-01-01'",
    'x-deprecation-page: https://example.com/old',
  ]
  const { operations } = await readContract(contractOf(...dates))
  const router = createRouter()
  for (const { path, retirement } of operations) {
    router.get(
      path,
      announcing(retirement, async (ctx) => {
        if (ctx.query['fail']) throw new ApiError('bad_request', 'no')
        ctx.body = {}
      }),
    )
  }
  const served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
  const said = async (path: string) => {
    const { headers } = await fetch(`${served.url}${path}`)
    return ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
  }
  const going = [
    '@1814400000',
    'Sat, 01 Jan 2028 00:00:00 GMT',
    '<https://example.com/old>; rel="deprecation"; type="text/html"',
  ]
  expect([await said('/old'), await said('/old?fail=1'), await said('/new')]).toEqual([
    going,
    going,
    [null, null, null],
  ])
  await served.close()
})

test('an operation that is deprecated without its days does not start', async () => {
  for (const lines of [
    ['deprecated: true'],
    ['deprecated: true', "x-deprecated-from: '2027-07-01'"],
    ['deprecated: true', "x-deprecated-from: '2027-07-01'", "x-sunset: '2027-06-30'"],
  ]) {
    await expect(readContract(contractOf(...lines))).rejects.toThrow('listOld is deprecated')
  }
})
