import { expect, test } from 'vitest'
import { noticesOf } from '#notices/tell.ts'
import { messageOf } from '#notices/render/message.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../rates/properties/sets.ts'

const federal = () =>
  structuredClone(sets.find((one) => one.pricingCode === 'AU' && one.financialYear === '2026-2027')!)

/** The lines of the mail of a change of the federal set, without its opening and its end. */
function told(edit: (copy: RateSetSpec) => void): string[] {
  const copy = federal()
  edit(copy)
  const known = { number: 1, release: 'old', sets: [federal()] }
  const telling = { environment: 'test', today: () => '2026-06-01', issuedAt: '2026-06-01T00:00:00Z' }
  const [notice] = noticesOf(known, { number: 2, release: 'new', sets: [copy] }, [{ client: 'any', to: [] }], telling)
  return messageOf(notice!)
    .text.split('\n')
    .filter((line) => line.includes(' → '))
}

const set = (name: string, value: string) => (copy: RateSetSpec) =>
  void (copy.parameters!.find((one) => one.name === name)!.values[0]!.value = value)

test('a threshold that bounds several cases of a rule is told once, by its name', () => {
  expect(told(set('LCT_THRESHOLD_FUEL_EFFICIENT', '91999'))).toEqual([
    // 30 % of what is above, s 5-15: $8,339 and $8,001.
    '  luxury car tax threshold of fuel-efficient cars: $91,661 → $91,999; on an LCT value of $100,000: $2,501.70 → $2,400.30',
  ])
})

test('an amount that a basis adds is told once, where the amount is named', () => {
  expect(told(set('GST_OF_CAR_LIMIT', '6400'))).toEqual(['  amount: $6,353 → $6,400'])
})

test('what else changes in a case with the threshold is told beside it', () => {
  const lines = told((copy) => {
    set('LCT_THRESHOLD', '80999')(copy)
    copy.rules.find(({ component }) => component === 'LUXURY_CAR_TAX')!.cases.at(-1)!.charge!.bands![1]!.excess = {
      percent: '33',
    }
  })
  // 30 % of $19,191, and 33 % of $19,001.
  expect(lines).toContain(
    '  luxury car tax threshold: $80,809 → $80,999; on an LCT value of $100,000: $5,757.30 → $6,270.33',
  )
  expect(lines.filter((line) => line.includes('33 %'))).toHaveLength(1)
})

test('an amount that happens to move alike, and is not the value of the parameter, stays told', () => {
  const lines = told((copy) => {
    set('LCT_THRESHOLD', '80999')(copy)
    copy.rules.find(({ component }) => component === 'LUXURY_CAR_TAX')!.cases.at(-1)!.charge!.bands![0]!.upTo = '80999'
  })
  expect(lines).toEqual([
    '  luxury car tax threshold: $80,809 → $80,999; on an LCT value of $100,000: $5,757.30 → $5,700.30',
    '  in general: 30 % of the excess: above $80,809 → above $80,999; on $100,000: $5,757.30 → $5,700.30',
  ])
})

test('a remaining case is not called another one where no case is told before it', () => {
  const lines = told((copy) => {
    copy.rules.find(({ component }) => component === 'LUXURY_CAR_TAX')!.cases.at(-1)!.charge!.bands![1]!.excess = {
      percent: '33',
    }
  })
  expect(lines.join('\n')).toContain('in general: ')
  expect(lines.join('\n')).not.toContain('all other cases')
})
