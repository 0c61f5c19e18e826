import { expect, test } from 'vitest'
import { snakeCased } from '../../../../inventory/field-names.ts'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (vehicle: object) => check({ vehicle: { source_id: 'a', ...vehicle } }).map(({ code }) => code)
/** What is found in a text, and whether it is a flag. */
const findingsIn = (vehicle: object) =>
  check({ vehicle: { source_id: 'a', ...vehicle } }).map(({ code, isFlag }) => (isFlag ? `flag ${code}` : code))

test.each([
  ['stockNo', 'stock_no'],
  ['VIN', 'vin'],
  ['ABNNumber', 'abn_number'],
  ['brochureURL', 'brochure_url'],
  ['imageURLs', 'image_urls'],
  ['Dealer Name', 'dealer_name'],
  ['dealer-name', 'dealer_name'],
  ['addressLine1', 'address_line1'],
])('%s is %s', (name, expected) => expect(snakeCased(name)).toBe(expected))

test.each([
  ...['stockNo', 'stockId', 'engineNumber', 'chassisNumber', 'regoNumber', 'VIN', 'Vin', 'NVIC', 'optionCodes'],
  ...['redbookCode', 'ABN', 'dealerId', 'externalId', 'listingId', 'Stock No', 'stock-no', 'partNumber'],
  ...['part_number', 'serial_number', 'ref_no', 'warranty_number', 'dealer_licence', 'rego_plate'],
])('%s is a code', (name) => {
  expect(codesOf({ [name]: '0412345678' })).toEqual([])
  expect(codesOf({ [name]: 'call 0412345678' })).toEqual(['CONTACT_DETAILS'])
})

test.each(['videoUrl', 'brochureURL', 'listing_link', 'video_url', 'videoUrls', 'tourHref'])('%s is a link', (name) => {
  expect(codesOf({ [name]: 'https://www.northside.com.au/x' })).toEqual([])
  expect(codesOf({ [name]: 'javascript:x' })).toContain('UNSAFE_LINK')
})

test.each([
  ...[
    'contactNo',
    'phoneNumber',
    'Mobile',
    'dealerNumber',
    'stockNumberNote',
    'ABNText',
    'linked',
    'platelet',
    'contact',
  ],
])('%s is no code', (name) => expect(codesOf({ [name]: '0412345678' })).toEqual(['CONTACT_DETAILS']))

test.each([
  ...['dealerName', 'dealer-name', 'Name', 'address_1', 'address_line1', 'address_line_2', 'addressLine1', 'region'],
  ...['branch', 'contact', 'contactPerson', 'sales_rep', 'sales_consultant', 'salesConsultant', 'Suburb'],
])('%s is a name, in which a word is flagged', (name) => {
  expect(findingsIn({ [name]: 'Wanker’s Corner' })).toEqual(['flag PROFANITY'])
})

test('the lines of an address are parts of a name, and other lines are not', () => {
  const [line, lines] = ['Wanker’s Corner', { line_1: 'Wanker’s Corner', line2: 'Wanker’s Corner' }]
  const addresses = { address: lines, dealerAddress: [{ lineOne: 'x', line_1: line }] }
  expect(findingsIn(addresses)).toEqual(Array.from({ length: 3 }, () => 'flag PROFANITY'))
  expect(findingsIn({ headline: lines })).toEqual(['PROFANITY', 'PROFANITY'])
})

test.each([
  ...['customFields', 'custom_fields'].map((field) => ({ [field]: [{ Name: 'Wanker' }] })),
  ...['wheelName', 'wheel_name'].map((field) => ({ [field]: 'Wanker' })),
])('%j has the name of a thing', (vehicle) => expect(findingsIn(vehicle)).toEqual(['PROFANITY']))

test.each([
  ['promo_url', 'Ring me on 0412 345 678 you cunt', ['PROFANITY', 'CONTACT_DETAILS']],
  ['promo_url', 'https://northside.com.au/x call me on 0412 345 678', ['CONTACT_DETAILS']],
  ['promo_code', 'call 0412 345 678', ['CONTACT_DETAILS']],
  ['promo_code', 'CALL 0412 345 678', ['CONTACT_DETAILS']],
  ['headline_id', 'what a wanker', ['PROFANITY']],
  ['colour_scheme', 'blue, see joescars.com.au for more', ['CONTACT_DETAILS']],
  ['channel', 'email joe@joescars.com.au now', ['CONTACT_DETAILS']],
  ['src', 'what a wanker', ['PROFANITY']],
])('%s: %j has prose, which is checked', (name, text, codes) => expect(codesOf({ [name]: text })).toEqual(codes))

test.each([
  ['option_codes', 'ASS FUK 13F'],
  ['stock_no', '0412 345 678'],
  ['engine_no', '2JZ GTE 0412345678'],
  ['rego', 'FUK 123'],
  ['src', 'https://img.northside.com.au/0412345678/my red car.jpg'],
  ['video_url', 'https://www.northside.com.au/my car.mp4'],
  ['video_url', '//www.northside.com.au/my own car.mp4'],
  ['colour_scheme', 'Red over black'],
])('%s: %j has none', (name, text) => expect(codesOf({ [name]: text })).toEqual([]))

test('the name of a field may have prose too, and a name of one word has none', () => {
  expect(codesOf({ 'call 0412 345 678': 'x', 'what a wanker': 'x' })).toEqual(['CONTACT_DETAILS', 'PROFANITY'])
  expect(codesOf({ wanker: 'x', 'Gear Knob Colour': 'x', '0412 345 678': 'x' })).toEqual([])
})
