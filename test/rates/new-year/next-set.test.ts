import { expect, test } from 'vitest'
import { nextSetText } from '#rates/new-year/next-set.ts'
import { moveTo } from '#rates/new-year/years.ts'

const LAST = `# Somewhere from 1 July 2026.
apiVersion: rates.driveaway.dev/v1alpha1
kind: RateSet
metadata:
  name: au-sa-fy27
spec:
  pricingCode: AU_SA
  financialYear: "2026-2027"

  parameters:
    - name: UNIT   # of the act
      values:
        - { value: "1.90", evidence: official, sources: [act] }
        # Indexed.
        - { value: "1.96", startDate: "2027-01-01", evidence: official, sources: [act] }

  rules:
    # Until January.
    - component: DUTY
      name: Old duty
      endDate: "2027-01-31"
      cases:
        - charge: { flat: "1" }
      verification: { evidence: official, verifiedOn: "2026-11-21", reviewBy: "2027-06-01" }
    # From February.
    - component: DUTY
      name: Duty
      startDate: "2027-02-01"
      description: >-
        A paragraph of
        two lines.
      cases:
        - when: { class: [goods] }   # as ever
          unpriced: "Not known."
        - when: { fuelType: [BEV] }
          exempt: { reason: "Electric, to 30 June 2027.", line: zero }
        - { when: { class: [van] }, evidence: derived, charge: { flat: "2" } }
        - charge:
            table:
              rows:
                - { upTo: "1000", amounts: ["10"] }
                - { upTo: "2000", amounts: ["20"], evidence: estimate, upperBound: true, warning: "At most 20." }
        - charge: { flat: "3" } # the rest
      verification:
        evidence: secondary
        verifiedOn: "2026-11-21"
        reviewBy: "2027-06-01"

  concessions:
    - type: PENSIONER
      label: Pensioner
      evidence: secondary
      adjustments:
        - { component: DUTY, percentOff: "50" }

  examples:
    # In the old days.
    - name: On 31 January 2027
      source: { kind: formula, name: act }
      given: { date: "2027-01-31", dutiable: "1" }
      expect: { DUTY: "1.00" }
    # Now.
    - name: A van on 1 February 2027
      source: { kind: published, name: act, note: "page 3 of 2026-27" }
      given: { date: "2027-02-01", dutiable: "1", manufactureDate: "2024-02-29", year: "2024" }
      expect: { DUTY: "2.00" }
`

const NEXT = `# Somewhere from 1 July 2027.
apiVersion: rates.driveaway.dev/v1alpha1
kind: RateSet
metadata:
  name: au-sa-fy28
spec:
  pricingCode: AU_SA
  financialYear: "2027-2028"

  parameters:
    - name: UNIT   # of the act
      values:
        # Indexed.
        - { value: "1.96", startDate: "2027-07-01", evidence: estimate, sources: [act] }

  rules:
    # From February.
    - component: DUTY
      name: Duty
      startDate: "2027-07-01"
      description: >-
        A paragraph of
        two lines.
      cases:
        - when: { class: [goods] }   # as ever
          unpriced: "Not known."
        - when: { fuelType: [BEV] }
          exempt: { reason: "Carried over from 2026-2027, not verified: Electric, to 30 June 2027.", line: zero }
        - { when: { class: [van] }, evidence: estimate, charge: { flat: "2" }, warning: "Carried over from 2026-2027, not verified: Duty." }
        - charge:
            table:
              rows:
                - { upTo: "1000", amounts: ["10"] }
                - { upTo: "2000", amounts: ["20"], evidence: estimate, upperBound: false, warning: "Carried over from 2026-2027, not verified: At most 20." }
          warning: "Carried over from 2026-2027, not verified: Duty."
        - charge: { flat: "3" } # the rest
          warning: "Carried over from 2026-2027, not verified: Duty."
      verification:
        evidence: estimate
        verifiedOn: "2026-11-21"
        reviewBy: "2027-06-01"

  concessions:
    - type: PENSIONER
      label: Pensioner
      evidence: estimate
      adjustments:
        - { component: DUTY, percentOff: "50", warning: "Carried over from 2026-2027, not verified: Pensioner." }

  examples:
    # Now.
    - name: A van on 1 February 2028
      source: { kind: formula, name: act, note: "page 3 of 2026-27" }
      given: { date: "2028-02-01", dutiable: "1", manufactureDate: "2025-02-28", year: "2025" }
      expect: { DUTY: "2.00" }
`

test('what is in force on the last day is carried over, and every other byte stays', () => {
  const text = nextSetText(LAST, moveTo(2028), (position) => (position === 0 ? undefined : 'with the vehicle'))
  expect(text).toBe(NEXT)
})

test('an example whose vehicle stays keeps the dates of the vehicle', () => {
  const text = nextSetText(LAST, moveTo(2028), () => 'the day alone')
  expect(text).toContain('given: { date: "2028-02-01", dutiable: "1", manufactureDate: "2024-02-29", year: "2024" }')
  expect(text).toContain('- name: On 31 January 2028')
})

test('a concession that ends by its law in the next year keeps its last day', () => {
  const endingOn = (day: string) => LAST.replace('      label: Pensioner\n', `      label: Pensioner\n      endDate: "${day}"\n`)
  const ended = (day: string) => nextSetText(endingOn(day), moveTo(2028), () => undefined)
  expect(ended('2027-08-31')).toContain('label: Pensioner\n      endDate: "2027-08-31"')
  expect(ended('2027-06-30')).toContain('label: Pensioner\n      endDate: "2028-06-30"')
})
