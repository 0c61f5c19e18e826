import { expect, test } from 'vitest'
import { describeFault } from '#rates/files/located.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { HEAD } from './head.ts'

const faultsOf = (text: string) => parse(text, 'fy27.yaml').faults.map(describeFault)

test('a well-written file has no faults and gives its name and its spec', () => {
  const read = parse(HEAD, 'fy27.yaml')
  expect(read.faults).toEqual([])
  expect(read.name).toBe('au-vic-fy27')
  expect(read.spec).toEqual({ pricingCode: 'AU_VIC', financialYear: '2026-2027' })
})

test('a path is located at its key, and a path that does not exist at the deepest part that does', () => {
  const read = parse(`${HEAD}  rules:\n    - component: A\n      cases: [{ charge: { flat: "1" } }]\n`, 'fy27.yaml')
  expect(read.locate('spec.rules[0].component')).toEqual({ line: 8, column: 7 })
  expect(read.locate('spec.rules[0].cases[0].charge.flat')).toEqual({ line: 9, column: 27 })
  expect(read.locate('spec.rules[0].cases[4].charge')).toEqual({ line: 9, column: 7 })
  expect(read.locate('spec.nothing')).toEqual({ line: 4, column: 1 })
})

test('a key that stands twice is refused at its second place', () => {
  expect(faultsOf(`${HEAD}  quotable: true\n  quotable: false\n`)).toEqual([
    'fy27.yaml:8:3: the key is repeated in this map; the later value would silently replace the first (duplicate-key)',
  ])
})

test('money without quotes is refused with the text to write, zeros kept', () => {
  expect(faultsOf(`${HEAD}  rules:\n    - cases: [{ charge: { flat: 8.40 } }]\n`)).toEqual([
    'fy27.yaml:8:27: spec.rules[0].cases[0].charge.flat: 8.40 is not quoted; quote it: "8.40" (quoted)',
  ])
})

test('a bare number is refused in the expected figures of an example and in the amounts of a row', () => {
  const text = `${HEAD}  examples: [{ expect: { CTP: 551 } }]
  rules: [{ cases: [{ charge: { table: { rows: [{ amounts: [0800] }] } } }] }]\n`
  expect(faultsOf(text)).toEqual([
    'fy27.yaml:7:26: spec.examples[0].expect.CTP: 551 is not quoted; quote it: "551" (quoted)',
    'fy27.yaml:8:61: spec.rules[0].cases[0].charge.table.rows[0].amounts[0]: 0800 is not quoted; quote it: "0800" (quoted)',
  ])
})

test('a whole number stays bare where the grammar has a number', () => {
  expect(faultsOf(`${HEAD}  offers: { terms: [3, 6, 12] }\n`)).toEqual([])
})

test('a second document in one file is refused', () => {
  expect(faultsOf(`${HEAD}---\na: 1\n`)).toEqual(['fy27.yaml:7:1: a file holds one document (one-document)'])
})

test('an alias is refused, and nothing is read from the file', () => {
  const read = parse(`${HEAD}  a: &x { b: "1" }\n  c: *x\n`, 'fy27.yaml')
  expect(read.faults.map(describeFault)).toEqual([
    'fy27.yaml:7:9: the anchor &x is not needed: aliases are refused (plain-yaml)',
    'fy27.yaml:8:6: write the value out instead of *x: a file reads like the law (plain-yaml)',
  ])
  expect(read.spec).toBeUndefined()
})

test('a word that kubectl would read as a boolean has to be quoted', () => {
  expect(faultsOf(`${HEAD}  timeZone: no\n`)).toEqual([
    'fy27.yaml:7:13: quote it: "no", which kubectl would read as a boolean (plain-yaml)',
  ])
})

test('text that is not YAML is one fault with its place', () => {
  expect(faultsOf(`${HEAD}  rules: [\n`)[0]).toMatch(/^fy27\.yaml:8:1: .*\(yaml\)$/)
})

test('one bracket too many is one fault, however much follows', () => {
  const text = `${HEAD}  rules:\n    - cases: [] ]\n${'    - cases: []\n'.repeat(100)}`
  expect(faultsOf(text)).toEqual(['fy27.yaml:8:17: Unexpected flow-seq-end token in YAML stream: "]" (yaml)'])
})

test('an empty file is a fault and not an empty rate set', () => {
  expect(faultsOf('')).toEqual(['fy27.yaml:1:1: the file is empty (yaml)'])
})

test('another kind, another version and an unknown top key are named', () => {
  const text = HEAD.replace('kind: RateSet', 'kind: Rates').replace('v1alpha1', 'v1').concat('status: {}\n')
  expect(faultsOf(text)).toEqual([
    'fy27.yaml:7:1: status: unknown key; expected apiVersion, kind, metadata, spec (unknown-key)',
    'fy27.yaml:1:1: apiVersion: expected rates.driveaway.dev/v1alpha1 (envelope)',
    'fy27.yaml:2:1: kind: expected RateSet (envelope)',
  ])
})

test('the object is named after its pricing code and year', () => {
  expect(faultsOf(HEAD.replace('au-vic-fy27', 'vic'))).toEqual([
    'fy27.yaml:3:13: metadata.name: "vic" is not <pricing-code>-fy<yy>: expected au-vic-fy27 (object-name)',
  ])
})

test('the keys of a map are compared once: 120,000 of them are read, and the repeated one is found', () => {
  const keys = Array.from({ length: 120_000 }, (_, at) => `  k${at}: 1\n`).join('')
  expect(faultsOf(`${HEAD}${keys}  k7: 2\n`)).toEqual([
    'fy27.yaml:120007:3: the key is repeated in this map; the later value would silently replace the first (duplicate-key)',
  ])
})
