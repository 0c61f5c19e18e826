import { expect, inject, test } from 'vitest'
import { applyContent, helm, install, kubectl, untilReady } from './release.ts'

const staging = inject('staging')
const production = inject('production')
const kinds = { ...production, name: 'default' }

const namesOf = (kind: string) => kubectl(production, ['get', kind, '-o', 'name'])
const digestsOf = () =>
  kubectl(production, [
    'get',
    'ratesets',
    '-o',
    'jsonpath={range .items[*]}{.metadata.name} {.status.digest}{"\\n"}{end}',
  ])

test('an upgrade of the kinds keeps every object, and changes the definition', async () => {
  const before = await digestsOf()
  // As an older chart would have left it: a short name less.
  const patch = JSON.stringify({ spec: { names: { shortNames: ['rset'] } } })
  await kubectl(kinds, ['patch', 'crd', 'ratesets.rates.driveaway.dev', '--type=merge', '-p', patch])
  await helm(kinds, ['upgrade', 'driveaway-crds', 'charts/driveaway-crds', '--set', `global.e2e=${Date.now()}`])
  const shortNames = ['get', 'crd', 'ratesets.rates.driveaway.dev', '-o', 'jsonpath={.spec.names.shortNames[*]}']
  expect(await kubectl(kinds, shortNames)).toBe('rset rsets')
  expect(await digestsOf()).toBe(before)
})

test('a rate set that is not withdrawn cannot be deleted, in either release', async () => {
  for (const release of [staging, production]) {
    await expect(kubectl(release, ['delete', 'rateset', 'au-vic-fy27'])).rejects.toThrow('to be withdrawn')
  }
})

test('an uninstall and an install of the release and of the kinds keep every object', async () => {
  const [sets, clients, digests] = [await namesOf('ratesets'), await namesOf('showroomclients'), await digestsOf()]
  await helm(production, ['uninstall', 'production', '--wait'])
  await helm(kinds, ['uninstall', 'driveaway-crds', '--wait'])
  expect(await namesOf('ratesets')).toBe(sets)
  expect(await namesOf('showroomclients')).toBe(clients)
  await helm(kinds, ['install', 'driveaway-crds', 'charts/driveaway-crds'])
  await install(production, ['operator.replicas=1', 'pricing.replicas=1', 'inventory.replicas=1'])
  await applyContent(production)
  await untilReady(production)
  expect(await digestsOf()).toBe(digests)
})
