import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { checkAll } from '#rates/checks/check-all.ts'
import { describeFault } from '#rates/files/located.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { changed, federal, state } from './sample.ts'

const textOf = (name: string, spec: object) =>
  stringify(
    { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  )

const au = () => parse(textOf('au-fy27', federal()), 'au.yaml')
const tas = (spec: object = state()) => parse(textOf('au-tas-fy27', spec), 'tas.yaml')
const faultsOf = (...files: ReturnType<typeof parse>[]) => checkAll(files).map(describeFault)

test('a state and the federal set it imports have no faults, in either order', () => {
  expect(faultsOf(au(), tas())).toEqual([])
  expect(faultsOf(tas(), au())).toEqual([])
})

test('a state without the federal set that it imports is refused', () => {
  expect(faultsOf(tas())).toEqual([
    expect.stringMatching(
      /^tas\.yaml:\d+:\d+: spec\.imports\[0\]: there is no well-formed rate set of AU for 2026-2027/,
    ) as string,
  ])
})

test('a federal set of the wrong shape is told once, and its importers say that it is not there', () => {
  const broken = parse(textOf('au-fy27', { ...federal(), rules: [] }), 'au.yaml')
  expect(faultsOf(broken, tas())).toEqual([
    expect.stringMatching(/^au\.yaml:\d+:3: spec\.rules: expected at least 1 entry/) as string,
    expect.stringMatching(/^tas\.yaml:.*no well-formed rate set of AU/) as string,
  ])
})

test('one set in two files is refused in the second', () => {
  expect(faultsOf(au(), { ...au(), file: 'copy.yaml' })).toEqual([
    expect.stringMatching(
      /^copy\.yaml:\d+:\d+: metadata\.name: au-fy27 is already defined in au\.yaml \(names-unique\)$/,
    ) as string,
  ])
})

test('a bare figure is told once, with its zeros, and not again by the schema', () => {
  const text = textOf('au-fy27', federal()).replace(/flat: "0"/, 'flat: 8.40')
  expect(faultsOf(parse(text, 'au.yaml'))).toEqual([
    expect.stringMatching(
      /^au\.yaml:\d+:\d+: spec\.rules\[0\]\.cases\[0\]\.charge\.flat: 8\.40 is not quoted; quote it: "8\.40" \(quoted\)$/,
    ) as string,
  ])
})

test('an example that fails is refused with the figure that it gave', () => {
  // 3 % of 20,000 is 600; 601 is not.
  expect(faultsOf(au(), tas(changed({ 'examples[0].expect.STAMP_DUTY': '601' })))).toEqual([
    expect.stringMatching(
      /spec\.examples\[0\]: A small car: STAMP_DUTY is 600\.00, expected 601 \(examples-pass\)$/,
    ) as string,
  ])
})

test('an example that a federal change breaks is refused in the state', () => {
  const dearer = parse(textOf('au-fy27', changed({ 'rules[0].cases[0].charge.flat': '500' }, federal())), 'au.yaml')
  expect(faultsOf(dearer, tas())).toEqual([
    expect.stringMatching(/^tas\.yaml:.*STAMP_DUTY is 615.00, expected 600\.00 \(examples-pass\)$/) as string,
  ])
})
