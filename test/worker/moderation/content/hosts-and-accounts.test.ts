import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)
const placed = (text: string) => [`For more ${text} any day`, `For more ${text}`, `${text}. Thanks`]

test.each([
  ...['joescars.xyz', 'joes.xyz', 'joe dot xyz', 'joescars.me', 'joescars.cars', 'JOESCARS.LINK', 'joes-motors.autos'],
  ...[
    'Northsideautomotive.me',
    'www2.joescars.me',
    'joe4wd.link',
    'joescars.me/stock',
    'joescars。com。au',
    'www。joes。cars',
  ],
  ...[
    'joescars｡com｡au',
    'car.AU',
    'JOESCARS.AU delivered',
    'car.AU/delivered',
    '2024.8.com',
    'joes.2024.app',
    '24.app',
    'cars.com delivered',
  ],
  ...['joescars.deals', 'joes.me/stock', 'joes.deals/1', 'discord.gg/abc', 'maps.app.goo.gl/x', 'instagr.am/joes'],
])('%s is the address of a dealer', (address) => {
  expect(placed(address).map(codesOf)).toEqual(placed(address).map(() => ['CONTACT_DETAILS']))
})

test.each([
  ...[
    'Visit joes.me',
    'See joes.me today',
    'more at northside.me',
    'Visit us at joes.me',
    'visit joes.link',
    'website: joes.cars',
  ],
  ...['joes.me', 'Great range\njoes.me\nCall in', 'see joes.me/stock', 'see joes.deals', 'Check out joes.me'],
])('%j names an address that is no name of a dealer', (text) => {
  expect(codesOf(text)).toEqual(['CONTACT_DETAILS'])
})

test.each([
  ...[
    'See Great car.Me and my wife',
    'see car.me and',
    'See photos.me and my wife',
    'good on fuel.me and',
    'Must see.me too',
  ],
  ...[
    'Visit us.me and my son',
    'A bargain.me and',
    'great to see home.cars like this',
    'see page.link below',
    'semi-auto.me',
  ],
  ...[
    'Joes.Me',
    'See attached.link',
    'see listing.cars',
    'A bargain.cars',
    'Bargain.cars',
    'see us at home.me',
    'See inspection.me and',
    'Online at carsales.Me and my wife',
    'see our.deals',
    'See photos.deals on all stock',
    'great.deals/prices',
    'great car.me/my wife',
    'maps.app.google',
  ],
])('%j is two sentences', (text) => {
  expect(codesOf(text)).toEqual([])
})

test.each([
  ...[
    'Great car.Me and my wife',
    'great car.me and',
    'great cars.me and',
    'two motors.me and',
    'supercars.cars',
    'semi-auto.me',
  ],
  ...[
    'used-cars.link',
    'it is automatic.me too',
    'a good link.cars here',
    'best value.cars',
    'Joescars.Me',
    'oscars.cars',
  ],
  ...[
    'software 2024.8.app',
    'v11.1.app',
    'v2024.44.25.app',
    'Great car.AU delivered',
    'LOW KMS.AU STOCK',
    'one ute.AU compliance',
  ],
  ...['很好。car', 'good。', '。com'],
])('%s is two sentences, a version or a country', (words) => {
  expect(placed(words).map(codesOf)).toEqual(placed(words).map(() => []))
})

test.each([
  ...[
    '@joescars',
    '@JoesMotors',
    '@joes.autos',
    '@joes_cars',
    '@joe_sells',
    'Follow us @joes',
    'DM @joes',
    'Message us @northside',
    'tag: @northside',
  ],
  ...[
    'Instagram: joescars',
    'TikTok: joescars',
    'IG: @joescars',
    'IG: joescars',
    'Twitter name: joes',
    'facebook: joes.cars',
  ],
  ...[
    'TELEGRAM: JOES',
    'snapchat:joes1',
    'IG: sportscars',
    'IG: Sport',
    'IG: sport_pack',
    'ig: joes pack',
    'IG: notjoes',
  ],
  ...[
    'TikTok: yesjoes',
    'IG: joesmith',
    'IG: joesmith for photos',
    'ig: joesmith | open',
    'IG: joesmith, open',
    'fb: joesmith',
  ],
  ...[
    'WeChat name: joes quick reply',
    'IG: joes_smith great',
    'IG: joes.smith great',
    'IG: joesmotors great range',
    'IG: smithy great deals',
    'fb: smithy best prices',
  ],
  ...[
    'skype: joesmith\nGreat car',
    'fb: joesmith Today',
    'Insta: joes great',
    'snapchat: joes-autos great',
    'fb: joes4 great',
  ],
  ...['insta joescars', 'Facebook/joes.autos', 'ig - joesmotors', 'FB/JOESCARS', 'snap: joescars', 'snap/joes4x4'],
  ...['@front_seats_joes', '@front_seats.joes', '@front_runner', '@joes_seats', 'Follow @front_seats', '@front_cars'],
])('%s is an account', (account) => {
  expect(placed(account).map(codesOf)).toEqual(placed(account).map(() => ['CONTACT_DETAILS']))
})

test.each([
  ...[
    '@ 5,000 rpm',
    '200kW @ 6000',
    '@19990',
    '@only $20k',
    '@factory',
    '@ Toyota',
    '@supercars',
    '@motors',
    'up to 7@full auto',
  ],
  ...['IG: Sport pack', 'IG: Luxury trim', 'IG: black interior', 'TikTok: yes', 'Instagram: supported'],
  ...[
    'IG: Icon Grey metallic',
    'fb: front bar replaced',
    'Snapchat: blue leather',
    'WeChat: chinese menu',
    'Skype: video calling',
  ],
  ...[
    'IG: black great condition',
    'IG: Icon great',
    'Serviced @northside',
    'open till 5 pm @northside',
    'engine@idle',
    '2.0L @ 5000rpm',
  ],
  ...['@front_seats heated', 'Engine @idle_speed 800rpm', 'torque @peak_revs'],
  ...[
    'Facebook used cars',
    'Instagram/supercars',
    'fb/front bar',
    'snap: used cars',
    'snap joescars',
    'Skype: for autos',
  ],
  ...['Twitter: not included', 'Facebook: integrated', 'WhatsApp: reads messages', 'sold @cost', '200kW@motors'],
])('%s is no account', (words) => {
  expect(placed(words).map(codesOf)).toEqual(placed(words).map(() => []))
})

test.each([
  ...[
    'joes.deals ',
    'see joes.deals',
    'fb/joes',
    'insta ',
    'drive.com.au',
    'drive.com.au/',
    'at ',
    'a.goo.gl',
    '@northside\n',
  ],
  'joescars.me',
  'x.me ',
  'see x',
  'see a.me and ',
  'more at ',
  '\na.me',
  'a-',
  'cars',
  '@a.',
  '@joes_',
  '.cars',
  '。a',
  '1.',
  'ig: sport ',
])('2 MB of %j are read in time', (unit) => {
  const before = process.cpuUsage()
  codesOf(`@${unit.repeat(2_000_000 / unit.length)} 1.me`)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000)
})
