import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)

test.each([
  ...[
    '0412,345,678',
    '0412*345*678',
    '#0412345678',
    '# 0412 345 678',
    'Call #0412345678',
    '04l2 345 678',
    'O4I2345678',
  ],
  ...[
    '(O3) 9l23 4567',
    'P: 9876 5432',
    'T: 9876-5432',
    'Ph: 9876 5432',
    '٠٤١٢٣٤٥٦٧٨',
    '０４１２３４５６７８',
    '०४१२ ३४५ ६७८',
  ],
  ...['0412, 345, 678', 'Mob no: 0412, 345, 678, Joe', 'P: 98765432', 'T:98765432', 'p: 98009800'],
  ...[
    '0412|345|678',
    '0412 | 345 | 678',
    '0412~345~678',
    '1800 forcars',
    '1800forcars',
    '1300 JoesAutos',
    '1800-FORCARS',
  ],
  ...['T: 2400 2801', 'P: 9870 5430', 'Towing T: 9876 5432', 'P: 9876 5432 kgb', 'Ph: 9800 5400'],
])('%s is a phone number', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
  expect(codesOf(number)).toEqual(['CONTACT_DETAILS'])
})

test.each([
  ...[
    '$41,234,567',
    '$0412,345,678',
    'codes 0412,345,678,901',
    'Stock #0412345678',
    'Part #0412345678',
    'engine no #0412345678',
  ],
  ...[
    'P: 23,990',
    'P: 2019 2020',
    'P: 9876',
    'SP: 9876 5432 km',
    '04lI OlIo oIl',
    'X04l2345678',
    '٢٠١٩',
    'OEM 04l2345678A',
  ],
  ...[
    'T: 2400 2800 rpm',
    'P: 3000 4000 rpm max',
    'P: 2500 3500 kg',
    'Towing T: 3500 7500',
    'Torque T: 2450 3650',
    'P: 2425 3615rpm',
  ],
  ...[
    'codes 0412, 345, 678',
    'options: 0412, 345, 678',
    '0410, 0412, 345, 678',
    '0412, 345, 678, 901',
    '0410, 320, 450 and 600',
    '0400, 500, 600 Nm',
    '$0412, 345, 678',
  ],
  ...['P: 25122024', 'P: 20192020', 'P: 987654321', 'P: 98765432 km', 'P: 12345678', 'SP: 98765432', 'P: 98765432-1'],
  ...['P: 98765432AB', 'Part no P: 98765432X fits', 'VIN T: 87654321abc12345'],
  ...['0412|345', '0412|345|678|901', '1|0412|345|678', 'codes: 0412|345|678', '0400|500|600 Nm', '0412|345:678'],
  ...['1800 petrol', '1300 motors', '1800 supercars', '1800 used cars', '1300 kilometres', '21800 forcars'],
  ...['T: 3455 7525 mm', 'T: 2455 3525 Nm', 'P: 2455 3525 kW', 'T: 2400-2800'],
])('%s is no phone number', (words) => {
  expect(codesOf(`Here now. ${words}`)).toEqual([])
})

test.each(['04l', '٠', '#04', 'P: ', 'O4', '0412,', '0412, ', '345, ', '# ', '0412|', '1800 forcar'])(
  '2 MB of %j are read in time',
  (unit) => {
    const before = process.cpuUsage()
    codesOf(unit.repeat(2_000_000 / unit.length))
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(20_000)
  },
)
