import { describe, expect, test } from 'vitest'
import { priced, request, rule, set } from './small-set.ts'

const flat = (dollars: string) => ({ charge: { flat: dollars } })

describe('no age is tried of a new vehicle at which it could not be sold as new', () => {
  const since = (fact: 'manufactureDate' | 'firstRegisteredDate' | 'year', from: string) => {
    const when = fact === 'year' ? { year: { max: from } } : { [fact]: { to: from } }
    const assume = fact === 'year' ? '2026' : '2026-11-01'
    const missing = [{ fact, assume, warning: 'Taken as young.' }]
    return set({ rules: [rule({ basis: 'PRICE', missing, cases: [{ when, ...flat('1') }, flat('2')] })] })
  }
  const asked = (condition: 'new' | 'used') => request(1, { vehicleGeneric: { condition, previouslyRegistered: true } })

  test.each([
    ['manufactureDate', '2016-11-30', '2016-12-01'],
    ['firstRegisteredDate', '2024-11-30', '2024-12-01'],
    ['year', '2015', '2016'],
  ] as const)('%s to %s is not, to %s is', (fact, tooOld, oldEnough) => {
    expect(priced(since(fact, tooOld), asked('new')).warnings).toEqual([])
    expect(priced(since(fact, oldEnough), asked('new')).warnings).toEqual(['Taken as young.'])
    expect(priced(since(fact, tooOld), asked('used')).warnings).toEqual(['Taken as young.'])
  })
})
