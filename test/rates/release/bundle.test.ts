import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openBundle } from '../../../evaluator/index.ts'
import type { ReleaseFault } from '#rates/release/signed.ts'
import type { BundleContent } from '#rates/release/bundle.ts'
import { canonicalJson } from '#rates/published/canonical.ts'
import { committedRates } from '../../api/contract/committed-rates.ts'
import { bundleOf, committedContent, newReleaseKey, SIGNED_AT } from './signed-bundle.ts'

let key: Awaited<ReturnType<typeof newReleaseKey>>
let bytes: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  key = await newReleaseKey()
  bytes = await bundleOf(key.signs)
})

const textOf = (packed: Uint8Array) => gunzipSync(packed).toString('utf8')
const packed = (text: string) => new Uint8Array(gzipSync(text))

/** Why a bundle is refused, as a program and as a person read it. */
const refusal = async (of: Uint8Array<ArrayBuffer>, keys = [key.published]) => {
  const fault = await openBundle(of, keys).then(
    () => undefined,
    (error: unknown) => error as ReleaseFault,
  )
  return [fault?.because, fault?.message]
}

test('a bundle that was signed is opened, and its release is the release of an operator', async () => {
  const opened = await openBundle(bytes, [key.published])
  expect(opened.release).toBe(committedRates().release)
  expect(opened.kid).toBe('r1')
  expect(opened.claims).toMatchObject({ environment: 'staging', iat: SIGNED_AT, release: opened.release })
})

test('the file is canonical JSON, and gzip without a time or an operating system', () => {
  expect(canonicalJson(JSON.parse(textOf(bytes)))).toBe(textOf(bytes))
  expect([...bytes.slice(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
})

test('signed again by the same key at another time, only the signature is another one', async () => {
  const again = await bundleOf(key.signs, { iat: SIGNED_AT + 60 })
  const withoutSignature = (of: Uint8Array) => textOf(of).replace(/"signature":"[^"]*"/, '')
  expect(withoutSignature(again)).toBe(withoutSignature(bytes))
  expect(textOf(again)).not.toBe(textOf(bytes))
  expect(await bundleOf(key.signs)).toEqual(bytes)
})

test('a figure that was altered, and one whose release was made to fit, are refused', async () => {
  const text = textOf(bytes)
  expect(text).toContain('"rate":"8.40"')
  expect(await refusal(packed(text.replace('"rate":"8.40"', '"rate":"8.30"')))).toEqual([
    'altered',
    'the content of the bundle is not the content that was signed',
  ])
  const content = committedContent()
  const other: BundleContent = { ...content, sets: content.sets.slice(1) }
  const [because, message] = await refusal(await bundleOf(key.signs, {}, other))
  expect(because).toBe('other_release')
  expect(message).toContain(`the bundle is signed as ${content.release}, but its rate sets make sha256:`)
})

test('without a signature, with that of an unknown key, and with that of another key of the same name it is refused', async () => {
  const other = await newReleaseKey('r2')
  const sameName = await newReleaseKey('r1')
  const unsigned = packed(textOf(bytes).replace(/,"signature":"[^"]*"/, ',"signature":""'))
  expect(await refusal(unsigned)).toEqual(['unsigned', 'the bundle is not signed: expected a compact JWS'])
  expect(await refusal(packed(textOf(bytes).replace(/,"signature":"[^"]*"/, '')))).toEqual([
    'not_readable',
    'the bundle cannot be read: it is not a signed bundle of format 1',
  ])
  expect(await refusal(bytes, [other.published])).toEqual([
    'unknown_key',
    'the bundle is signed by key r1, which is not trusted',
  ])
  expect(await refusal(bytes, [])).toEqual(['unknown_key', 'the bundle is signed by key r1, which is not trusted'])
  expect(await refusal(bytes, [sameName.published])).toEqual([
    'bad_signature',
    'the signature of the bundle is not one of key r1',
  ])
})

test('a key speaks for its own environment, and until its last day', async () => {
  const production = { ...key.published, environment: 'production' }
  expect(await refusal(bytes, [production])).toEqual([
    'other_environment',
    'the bundle is of environment staging, but key r1 speaks for production only',
  ])
  expect(await refusal(bytes, [{ ...key.published, signsUntil: '2026-08-31' }])).toEqual([
    'key_out_of_date',
    'the bundle is of 2026-09-01, but key r1 signs until 2026-08-31 only',
  ])
  expect(await refusal(bytes, [{ ...key.published, signsUntil: '2026-09-01' }])).toEqual([undefined, undefined])
})

test('a signature that names no algorithm, or another one, is none', async () => {
  const [, payload, signature] = /"signature":"([^"]*)"/.exec(textOf(bytes))![1]!.split('.')
  for (const alg of ['none', 'HS256']) {
    const header = Buffer.from(JSON.stringify({ alg, typ: 'driveaway-bundle+jws', kid: 'r1' })).toString('base64url')
    const token = [header, payload, signature].join('.')
    expect((await refusal(packed(textOf(bytes).replace(/"signature":"[^"]*"/, `"signature":"${token}"`))))[0]).toBe('unsigned')
  }
})

test.each([
  ['nothing', new Uint8Array()],
  ['bytes that are no gzip', new TextEncoder().encode('{"content":')],
  ['gzip of bytes that are no text', new Uint8Array(gzipSync(Buffer.from([0xff, 0xfe, 0xfd])))],
  ['gzip of another text', new Uint8Array(gzipSync('{}'))],
])('%s is refused as not readable', async (_name, given) => {
  expect((await refusal(given))[0]).toBe('not_readable')
})
