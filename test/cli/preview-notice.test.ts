import { expect, test } from 'vitest'
import { previewNotice } from '../../cli/diff/preview-notice.ts'
import { sets } from '../rates/properties/sets.ts'

test('a correction of a year that is over reads as in the mail: of past days, with the last of them', () => {
  const old = sets.filter(({ pricingCode }) => ['AU', 'AU_VIC'].includes(pricingCode))
  const now = structuredClone(old)
  const last = now.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === '2025-2026')!
  last.parameters![0]!.values[0]!.value = '16.91'
  const preview = previewNotice({ old, now, release: 'sha256:new', today: '2026-11-22', client: undefined })
  expect(preview).toMatchObject({
    text: expect.stringContaining('This corrects amounts of past days, 1 July 2025 to 30 June 2026.') as string,
  })
})
