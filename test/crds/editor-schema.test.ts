import { globSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

// What an editor says of a file: the committed JSON Schemas, judged by a validator as the YAML language server does it.
let judges: Record<string, ValidateFunction>
beforeAll(() => {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const read = (name: string) => JSON.parse(readFileSync(`crds/schemas/${name}.json`, 'utf8')) as object
  judges = { rateset: ajv.compile(read('rateset')), showroomclient: ajv.compile(read('showroomclient')) }
})

function said(kind: string, text: string): string[] {
  const judge = judges[kind]!
  if (judge(parse(text))) return []
  return (judge.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string }
    return [instancePath, message, additionalProperty].filter(Boolean).join(' ')
  })
}

const sets = globSync('rates/sets/*/*.yaml')
const act = readFileSync('rates/sets/au-act/fy27.yaml', 'utf8')

test('an editor marks nothing in the committed rate sets and clients', () => {
  expect(sets.length).toBeGreaterThanOrEqual(27)
  expect(sets.flatMap((file) => said('rateset', readFileSync(file, 'utf8')))).toEqual([])
  const clients = globSync('test/demo/clients/*.yaml')
  expect(clients.flatMap((file) => said('showroomclient', readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ['a field that is not known', 'offers:', 'ofers:', '/spec must NOT have additional properties ofers'],
  ['money without quotes', 'flat: "50"', 'flat: 50', 'must be string'],
  ['another kind', 'kind: RateSet', 'kind: RatesSet', '/kind must be equal to one of the allowed values'],
])('an editor marks %s', (_, from, to, message) => {
  expect(act).toContain(from)
  expect(said('rateset', act.replace(from, to)).join('\n')).toContain(message)
})
