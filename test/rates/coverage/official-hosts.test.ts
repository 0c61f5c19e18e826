import { expect, test } from 'vitest'
import { sets } from '../properties/sets.ts'

// An official source is the authority's own text: on its own host, or on one of these.
const OTHERS = new Map([
  ['austlii.edu.au', 'acts, in the database of the Australasian Legal Information Institute'],
  ['liiofindia.org', 'the same database at another institute'],
  ['www.ntmacc.com.au', 'the Motor Accidents (Compensation) Commission of the Northern Territory'],
  ['revenuesa.clients.squiz.net', "RevenueSA's own site, at the provider of its pages"],
  [
    'b0ab7767-3471-4ee9-b10a-5fc98d5fbaf4.sites.quantcdn.io',
    "the site of WA's Department of Finance, at the provider of its pages",
  ],
])

const isOfAuthority = (host: string) =>
  host.endsWith('.gov.au') || [...OTHERS.keys()].some((other) => host === other || host.endsWith(`.${other}`))

test('every official source is on a host of the authority, or on one that is named here', () => {
  const strangers = sets.flatMap(({ pricingCode, financialYear, sources }) =>
    sources
      .filter(({ official, url }) => official && !isOfAuthority(new URL(url).hostname))
      .map(({ name, url }) => `${pricingCode} ${financialYear} ${name}: ${new URL(url).hostname}`),
  )
  expect(strangers).toEqual([])
})

test('no host is named that no set uses', () => {
  const hosts = sets.flatMap(({ sources }) => sources.map(({ url }) => new URL(url).hostname))
  expect([...OTHERS.keys()].filter((other) => !hosts.some((host) => host.endsWith(other)))).toEqual([])
})
