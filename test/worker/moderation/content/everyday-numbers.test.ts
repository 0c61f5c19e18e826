import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)
const placed = (text: string) => [`For more ${text} any day`, text]

test.each([
  ...[
    'Call 1300 CARBUY',
    'CALL 1300 CARBUY',
    'Ph 1300 CARBUY',
    'Ph. 1300 CARBUY',
    'Phone 1300 CAR BUY',
    'Call us on 1800 MY UTES',
    'TEXT 1800-CAR-BUY',
  ],
  ...[
    '1300 CAR BUY',
    '1300 BUY CARS',
    '1800 MY UTES',
    '1300-FOR-CARS',
    'call 1300 carbuy',
    'Ring 1800 joecar',
    '1300carbuy',
    '1300CarBuy',
  ],
])('%s is a phone number with letters', (number) => {
  expect(placed(number).flatMap(codesOf)).toEqual(['CONTACT_DETAILS', 'CONTACT_DETAILS'])
})

test.each([
  ...[
    'CALL US NOW 1800 CC DOHC',
    'BLUETOOTH PHONE, 1800 TURBO',
    'Call now 1300 KM ONLY',
    'call 1800 petrol',
    'CONTACT US: 1300 SERIES',
    'CALL NOW! 1300 CARS IN STOCK',
    'TEXT US NOW. 1800 AMP HOURS',
    'Ring us. 1800 braked towing',
    'CALL NOW 1300 NEW TYRES',
    '1300-KG-MAX',
    'Subaru 1800-GL-WAGON',
  ],
  ...[
    'MAZDA 1300 COUPE',
    '1800 CC DOHC',
    'OVER 1300 CARS SOLD',
    'DATSUN 1300 UTE FOR SALE',
    'DATSUN 1800 FOR SALE',
    '1300 CAR DEALERS',
  ],
  ...[
    'call about the 1300 series',
    'Bluetooth phone, 1800 petrol',
    'call our 1800 number',
    'text 1300 members',
    'call us: 1300 kilometres',
  ],
  ...[
    '1300kg',
    '1800mm',
    '1300petrol',
    '1800series',
    '1300 CAR PARK SPACES',
    'Subaru 1800 wagons',
    'contact us, 1300 vehicles',
    '1800-RPM',
  ],
])('%s is no phone number with letters', (words) => {
  expect(placed(words).flatMap(codesOf)).toEqual([])
})

test.each([
  ...[
    '0412, 345 678',
    '0412,345678',
    '0412 345,678',
    '0412•345•678',
    '0412 / 345678',
    '0412/345678',
    '0412    345    678',
  ],
  ...[
    '0412=345=678',
    '0412+345+678',
    '0412<345>678',
    '0412 = 345 = 678',
    '13OO 123 456',
    '18OO 123 456',
    '1800 l23 45O',
    'I3OO 123 456 call 13OO123456',
  ],
  ...[
    'Call 412345678',
    'Call me on 412 345 678',
    'my mobile is 412 345 678',
    'WhatsApp Joe 412345678',
    'Ph: 412-345-678',
    'mob 412 345678',
  ],
  ...[
    '☎ 9876 5432',
    '☎️98765432',
    '📞 98765432',
    '📱: 9876-5432',
    'Enquiries 9876 5432',
    'After hours: 9876 5432',
    'Sales: 98765432',
  ],
])('%s is a phone number', (number) => {
  expect(placed(number).flatMap(codesOf)).toEqual(['CONTACT_DETAILS', 'CONTACT_DETAILS'])
})

test.each([
  ...[
    'codes 0412, 345 678',
    '0412, 345 678, 901',
    '0410, 345 and 678',
    '0400, 500 600 Nm',
    'parts 0412/345678',
    '1.0412,345678',
    '$0412 / 345678',
  ],
  ...[
    'Call now, stock 412345678',
    'Contact us. Engine 412345678',
    'Call 412 345 678 km',
    'Call order 412345678',
    'Ring gear 412345678',
    'text size 412345678',
    'phone holder 412345678',
    'call 412 345 678 901',
  ],
  ...[
    'Price 98765432',
    'odometer 98765432 km',
    'Sales 2015-2018',
    'Sales: 2019 2020',
    'after hours 2500 3000',
    'enquiries 2400 2800',
  ],
  ...[
    'Sales 9876 5432 km',
    'presales 98765432',
    '📱 2019 2020',
    'sales 98765432AB',
    'after hours 98765432-1',
    'Sales: 25122024',
    '21300 123 456',
  ],
])('%s is no phone number', (words) => {
  expect(placed(words).flatMap(codesOf)).toEqual([])
})

test.each([
  ...[
    'zero four one two three four five six seven eight',
    'Oh four one two, three four five, six seven eight',
    'ZERO-FOUR-ONE-TWO-345-678',
  ],
  ...[
    '0412 three four five 678',
    'zero four one 2 3 4 five six seven 8',
    'nine eight seven six five four three two',
    'one three hundred 0412 three four five 678',
  ],
  ...[
    '0412 double four one double five six',
    'one eight zero zero one two three four five six',
    'o four.one.two three four five 678',
  ],
])('%s is a phone number in words', (number) => {
  expect(placed(number).flatMap(codesOf)).toEqual(['CONTACT_DETAILS', 'CONTACT_DETAILS'])
})

test.each([
  ...[
    'seats one two or three',
    'one two three go',
    'gears one, two, three, four, five, six, seven, eight, nine',
    'double two three seats',
    'one two three four five six seven eight nine ten',
    'one owner, two keys, four new tyres',
  ],
  ...[
    'rows one two three 2019 2020',
    'phone one four five',
    'someone four five six 7 8 9',
    'zero four one two',
    'stages one two three 4 5 6 7 8 9',
  ],
])('%s is no phone number in words', (words) => {
  expect(placed(words).flatMap(codesOf)).toEqual([])
})

test.each([
  ...[
    'one ',
    'one-',
    'o ',
    '0412 four ',
    'one two 3 ',
    '0412•',
    '0412 / ',
    '0412, 345 ',
    'call joe 4',
    'sales ',
    '☎ ',
    '13OO ',
    '04==',
  ],
  ...['1300 CAR ', 'call 1300 car', '1300-AB-', 'phone 412 345 '],
])('2 MB of %j are read in time', (unit) => {
  const before = process.cpuUsage()
  codesOf(unit.repeat(2_000_000 / unit.length))
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(20_000)
})
