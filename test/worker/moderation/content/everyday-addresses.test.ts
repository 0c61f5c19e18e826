import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)
const placed = (text: string) => [`For more ${text} any day`, text]

test.each([
  ...[
    'joe @gmail.com',
    'joe@gmail,com',
    'joe@gmail com',
    'joe at gmail',
    'Joe.Smith @ Hotmail',
    'joe@outlook',
    'joe@joescars,com',
    'joe@bigpond',
  ],
  ...[
    'joescars .com.au',
    'joescars .com',
    'www joescars com au',
    'www,joescars,com',
    'joescars com au',
    'joes, net, au',
    'joescars-dot-com-dot-au',
    'joes-dot-net',
  ],
  ...[
    'joescars.com.аu',
    'jоescars.com.au',
    'joescars.соm',
    'joescars.ϲom.au',
    '//joescars.xyz',
    'see //joes.com.au/stock',
  ],
  ...[
    'joescars.live',
    'joescars.club',
    'joes-motors.pro',
    'www2.joescars.tv',
    'NORTHSIDEAUTOS.PERTH',
    'joescars.global/stock',
  ],
  ...['hxxps[:]//joescars[.]com', 'hxxp[:]//joes.live', 'https[:]//joes[.]com'],
])('%s is an address', (address) => {
  expect(placed(address).flatMap(codesOf)).toEqual(['CONTACT_DETAILS', 'CONTACT_DETAILS'])
})

test.each([
  ...[
    'look at outlook',
    'We are at Outlook Drive',
    'Serviced @ Outlook Motors',
    'found at Yahoo Park',
    'idle@rpm, com',
    'photos at iCloud',
  ],
  ...['great car .Net price', 'good price .au', 'a car .it has', 'www in a word', 'com port, au pair', 'a-dot-and'],
  ...[
    'ABS//air bags',
    'ABS//air.Net price',
    'leather//sunroof//tint',
    'red//car.it has',
    'supercars.live',
    'one ownercar.live',
  ],
  ...[
    'used-cars.club',
    'Joescars.Live music',
    'best cars.direct from',
    'motors.us',
    'Авто из Японии, СУПЕР. Осмотр',
    'Mazda 3.Отличный',
  ],
])('%s is no address', (words) => {
  expect(placed(words).flatMap(codesOf)).toEqual([])
})

test.each([
  ...[
    '微信: joes123',
    '微信joes123',
    '微信号：joes_cars',
    'weixin: joes',
    'vx: joes123',
    'vx:joes88',
    'WeChat joes123',
  ],
  ...[
    'messenger: joescars',
    'youtube: joescars',
    'YouTube @joes',
    'discord: joe#1234',
    'Discord joe.s#0001',
    'f/b: joescars',
    'F/B joescars',
  ],
])('%s is an account', (account) => {
  expect(placed(account).flatMap(codesOf)).toEqual(['CONTACT_DETAILS', 'CONTACT_DETAILS'])
})

test.each([
  ...[
    'VX: SS sedan',
    'vx: v8',
    'VX: commodore2001',
    'CarPlay at Bigpond',
    'Holden VX: Commodore',
    'vx: ls1 engine',
    'YouTube: supported',
    'Messenger: available',
    'WeChat pay',
  ],
  ...[
    '微信 supported',
    'weixin app',
    'youtube: usedcars',
    'Discord #1234',
    'f/b bar',
    'Messenger/YouTube',
    '接受微信支付',
    'wechat v12',
    'WeChat pay2024',
    'Joesmotors.us we',
  ],
])('%s is no account', (words) => {
  expect(placed(words).flatMap(codesOf)).toEqual([])
})

test.each([
  ...[
    'joe@',
    'joe at ',
    'www a ',
    ' .',
    '-dot-',
    'о',
    'а.',
    'o.о',
    '//a',
    '//a.com',
    'joescars.liv',
    '微信',
    'vx: ',
    'discord a',
    'a@a com',
  ],
])('2 MB of %j are read in time', (unit) => {
  const before = process.cpuUsage()
  codesOf(`${unit.repeat(2_000_000 / unit.length)} 1`)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000)
})
