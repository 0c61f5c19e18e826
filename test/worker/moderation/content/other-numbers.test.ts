import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)

test.each([
  ...[
    'ABN 61 807 465 690',
    'A.B.N. 61 807 465 690',
    'ABN: 61807465690',
    'ABN No. 61-807-465-690',
    'abn (61 807 465 690)',
  ],
  ...['ACN 039 886 041 4x4 Centre', 'ACN: 039886041 4WD Centre', 'A.C.N. 004 085 616', 'ARBN 039 886 041 4x4 Centre'],
  ...['LMCT 12345', 'MD 12345', 'MRB1234', 'DL 12345', 'LMCT 10432 - MD 069 234 - ABN 51 824 753 556', 'MVRL56789'],
])('%s: the number of a business is no phone number', (number) => {
  expect(codesOf(`Northside Motors, ${number}, open every day`)).toEqual([])
})

test.each([
  ...['ABN 0412 345 678', 'ABN 61 412 345 678', 'ABN: 61412345678', 'ABN 04 1234 5678', 'ABN 1300 123 456'],
  ...['ABN 51 824 753 556, 0412 345 678', 'ABN 61 807 465 690 / 61 412 345 678', 'A.B.N. no. (03) 9123 4567'],
  ...['ACN 0412 345 678', 'ACN 041 234 567 8', 'ACN 03 9886 0414', 'ACN 004 085 616 0412 345 678'],
])('%s is a phone number behind the word for another', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
})
