import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { installPublishedKinds } from './published-kinds.ts'
import { charts, helm, tellingClients, valuesOf } from './render.ts'

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
  await installPublishedKinds(plane.kubeConfig)
}, 120_000)
afterAll(() => plane.stop())

/** What helm says after an installation; helm template leaves it out, and a dry run asks an API server for its version. */
async function notes(...values: string[]): Promise<string> {
  const cluster = ['--kubeconfig', plane.kubeconfig, '-n', 'staging', '--dry-run=client']
  const chart = ['install', 'release', join(charts, 'driveaway'), '--set', 'image.registry=registry.example/team']
  const text = await helm([...chart, ...cluster, ...valuesOf('staging'), ...values])
  return text.split('\nNOTES:\n')[1] ?? ''
}

const CONTACT = ['--set-string', 'notices.contact=rates desk']
const LINK = ['--set', 'notices.link=https://driveaway.example/rates']

test('an installation whose e-mails name neither a contact nor a page is told which values to set', async () => {
  const said = await notes(...tellingClients)
  expect(said).toContain('Set notices.contact')
  expect(said).toContain('somebody must read rates@driveaway.example.')
  expect(said).toContain('Set notices.link')
})

test('only what is missing is said', async () => {
  const [contact, link] = [await notes(...tellingClients, ...CONTACT), await notes(...tellingClients, ...LINK)]
  expect([contact.includes('notices.contact'), contact.includes('Set notices.link')]).toEqual([false, true])
  expect([link.includes('Set notices.contact'), link.includes('notices.link')]).toEqual([true, false])
})

test('the address for replies is named where there is one', async () => {
  expect(await notes(...tellingClients, '--set', 'notices.replyTo=desk@driveaway.example')).toContain(
    'somebody must read desk@driveaway.example.',
  )
})

test('nothing is said where nothing is missing, or where clients are not told', async () => {
  expect([await notes(...tellingClients, ...CONTACT, ...LINK), await notes()]).toEqual(['', ''])
})
