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

// Open: a copy of a rate card of 2011 that three sets call official, beside the official pages that their rules name.
const OPEN = new Set(['AU_NSW rate-card-2011'])

const isOfAuthority = (host: string) =>
  host.endsWith('.gov.au') || [...OTHERS.keys()].some((other) => host === other || host.endsWith(`.${other}`))

test('every official source is on a host of the authority, or on one that is named here', () => {
  const strangers = sets.flatMap(({ pricingCode, financialYear, sources }) =>
    sources
      .filter(({ name }) => !OPEN.has(`${pricingCode} ${name}`))
      .filter(({ official, url }) => official && !isOfAuthority(new URL(url).hostname))
      .map(({ name, url }) => `${pricingCode} ${financialYear} ${name}: ${new URL(url).hostname}`),
  )
  expect(strangers).toEqual([])
})

test('no host is named that no set uses', () => {
  const hosts = sets.flatMap(({ sources }) => sources.map(({ url }) => new URL(url).hostname))
  expect([...OTHERS.keys()].filter((other) => !hosts.some((host) => host.endsWith(other)))).toEqual([])
})
