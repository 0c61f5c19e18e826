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

test.each([
  ...['Genuine Toyota filter 04152-31090 fitted', 'Oil 08880-83264', 'pads 04465-33471 replaced', 'kit 04111-0K390'],
  ...['Ask for 13005-63010, then 04152-31090.', 'Mazda 1300 123456 miles', 'Mazda 1800 98765 kms', 'VW 1300 154321km'],
  ...[
    'Reg exp 04 05 2027 12 mths',
    'Rego: 08 07 2026 12 months',
    'Registered to 03 11 2026 120 000 km',
    'Built 04 2 2019 3012',
  ],
])('%s: the number of a part, a mileage or a day is no phone number', (words) => {
  expect(codesOf(`Here now. ${words}`)).toEqual([])
})

test.each([
  ...['Call 04123-45678', 'Ph: 04123-45678', 'mob Joe at home 04123-45678', 'M: 04123-45678', '04123-4567-8'],
  ...['Filter 04152-31090, 0412 345 678', 'Part 0412-345678', 'Phone 13001-23456', 'ring us on 03912-34567'],
  ...[
    'Call 1300 123456 miles away',
    '1300 123456 for miles',
    '1300 123 456 miles',
    '1300123456 km',
    'ph 1300 123456 km',
  ],
  ...[
    'Reg 04 12 345 678',
    '04 12 2012 34',
    'Call 04 12 2012 34',
    'exp 04 15 2012 34',
    'Reg exp 04 05 2027 0412 345 678',
  ],
])('%s is a phone number in the form of another', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
})

test.each([
  ...['Stock No 0412345678', 'Stock No: 1234567890', 'STOCK NO.0412345678', 'Stock # 0412345678', 'Stock #0412345678'],
  ...[
    'Stock number 0312345678',
    'Stk no. 1300123456',
    'Stock ID: 0412345678',
    'Ref: 0412345678',
    'Ref. no. 0412345678',
  ],
  ...['Reference number: 0412345678', 'Stock No 0412345678. Call us', 'Stock No 0412345678 Kia Rio'],
  ...['Cat# 0412345678', 'Code# 0412345678', 'Key no: 0412345678', 'Cat. no. 0412345678', 'Code #0412345678'],
  ...['IMG_0412345678.jpg', 'DSC_0412345678', '0412345678.jpeg', 'front_0412345678.PNG', 'front-0412345678.webp'],
])('%s: the number of a car in a list is no phone number', (words) => {
  expect(codesOf(`Here now. ${words}`)).toEqual([])
})

test.each([
  ...['Stock call me 0412 345 678', 'Stock No call 0412345678', 'Call Stock No 0412345678', 'Stock No 0412 345 678'],
  ...['Stock 0412345678', 'In stock: 0412345678', 'Stock No 0412345678 call me', 'Stock No 0412345678 (mobile)'],
  ...['Stock No +61412345678', 'Stock No 1, 0412345678', 'Stock No 0412345678 0412 345 678', 'Livestock No 0412345678'],
  ...[
    'Code 0412345678',
    'Key no: 0412 345 678',
    'Call Joe, code# 0412345678',
    'Cat# 0412345678 call',
    'monkey no: 0412345678',
  ],
  ...[
    'call_0412345678.jpg',
    'Call 0412345678.jpg',
    '0412 345 678.jpg',
    '0412345678.joe',
    'joe_0412345678',
    '+61412345678.jpg',
  ],
  ...['IMG_0412 345 678', 'IMG_0412345678 call me', 'Ph_0412345678.jpg', 'IMG_1.jpg 0412345678'],
])('%s is a phone number behind words for the number of a car', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
})

test.each([
  ...[
    'Engine number 0412345678',
    'Chassis no 0400123456',
    'Serial no. 0287654321',
    'SERIAL NUMBER: 0398765432',
    'Order no 0412345678',
  ],
  ...[
    'Policy no. 0412345678',
    'Warranty no 1800123456',
    'Permit number 0412345678',
    'Report no. 0299887766',
    'Consignment #0398765432',
  ],
  ...[
    'Invoice 0412345678',
    'Tax invoice: 0299887766',
    'Key tag 0412345678',
    'Redbook inspect cert 1300456789',
    'Invoice no. 0412345678',
  ],
  ...[
    'Job no. 0412 345 678',
    'Catalogue no 0400 123 456',
    'Stock number U0412345678',
    'Eng no: 4G63 0412345678',
    'Lot # 0412345678',
  ],
  ...[
    'Bosch injector 0445110310',
    'Bosch 0 451 103 318',
    'BOSCH fuel filter 0450905021',
    'Bosch alternator 0986041860',
  ],
])('%s: the number of a paper or a part is no phone number', (words) => {
  expect(codesOf(`Here now. ${words} with the car`)).toEqual([])
  expect(codesOf(words)).toEqual([])
})

test.each([
  ...[
    'Job no. call 0412 345 678',
    'Stock number 123, ring 0412 345 678',
    'Call Joe, job no. 0412345678',
    'Invoice 0412345678 call',
  ],
  ...[
    'Order no 0412 345 678, call Joe',
    'Job no. 0412 345 678 (mobile)',
    'Ring us: order no. 0412 345 678',
    'Policy no 0412345678 mobile',
  ],
  ...[
    'Engine 0412345678',
    'Order 0412345678',
    'Key tag 0412 345 678',
    'Invoice 0412 345 678',
    'Job no 1, 0412345678',
    'border no 0412345678',
  ],
  ...[
    'Eng no: 4G63 0412 345 678',
    'Eng no 4G63 ring 0412345678',
    'Engine no. Joe 0412345678',
    'U0412345678',
    'Job no. +61412345678',
  ],
  ...[
    'Bosch 0412345678',
    'Bosch 0451 103 318',
    'Call Bosch 0445110310',
    'Bosch 0445110310 call',
    'Bosch ring 0445110310',
    'Stock no ph0412345678',
    'Job no M0412345678',
  ],
])('%s is a phone number behind words for a paper or a part', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
})

test.each(['job no ', 'engine no 4G6 ', 'bosch ', 'bosch aa ', 'cert ', 'invoice ....', 'job no 0412 345 678 '])(
  '2 MB of %j are read in time',
  (unit) => {
    const before = process.cpuUsage()
    codesOf(unit.repeat(2_000_000 / unit.length))
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(20_000)
  },
)

test.each(['я', '漢', 'я ', 'é-', '١', ' - ', 'call ', 'a.'])(
  'a word for a call, then %j again and again, then a number, does not keep the worker for minutes',
  (filler) => {
    for (const number of ['12345-ABCDE ', 'stock no 0412345678 ', '1300 123456 km ', '0412,', '12345678,9 '])
      for (const length of [20, 108]) {
        const unit = `call${filler.repeat(length / filler.length)} ${number}`
        const before = process.cpuUsage()
        check({ vehicle: { source_id: 'a', description: unit.repeat(100) } })
        // Where letters can be divided in many ways, each unit takes seconds.
        expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
      }
  },
)
