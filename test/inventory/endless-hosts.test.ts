import { expect, test } from 'vitest'
import type { Item } from '../../inventory/batch.ts'
import { isAddress } from '../../inventory/picture-addresses.ts'
import { picturesOf } from '../../inventory/pictures.ts'
import { sourceUrl } from '../../worker/moderation/images/fetch-image.ts'
import { createContentModerator } from '../../worker/moderation/content/create-content-moderator.ts'

/** A host of as many different Chinese signs: to write one as ASCII takes a time that grows with the square of their number. */
const host = (length: number, first = 0) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((first + at) % 20_000))).join('')

const item = (vehicle: object): Item => ({ vehicle: { source_id: 'v', ...vehicle }, assets: [] }) as Item

test('an address whose host no name server knows is a picture in a field for pictures, and is refused without a look', () => {
  for (const src of [
    `http://${host(5_000)}`,
    `//${host(101)}.example/1.jpg`,
    `ht\ttps://user@${'a.'.repeat(200)}b/1`,
  ]) {
    expect(picturesOf(item({ photo: src })).map((each) => each.src)).toEqual([src])
    expect(() => sourceUrl(src)).toThrow(/not a URL|more than/)
  }
})

test.each([
  [`https://user@${host(60)}.example/${host(500)}`, true],
  [`https://example/?q=${host(500)}`, true],
  [`https://${'%E4%B8%80'.repeat(11)}.example`, true],
  [`https: ${host(200)} and more`, false],
  [`//${host(200)}, a sentence`, false],
  [`${host(200)}: / a sentence`, false],
])('%s is an address: %j', (text, isOne) => {
  expect(isAddress(text)).toBe(isOne)
})

test('an item that is full of such addresses is read in the time of others', () => {
  const photos = Array.from({ length: 95 }, (_, at) => `http://${host(5_450, at)}`).join(' ')
  const fields = Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`field${at}`, `//${host(5_450, at)}/1.jpg`]))
  const links = Object.fromEntries(
    Array.from({ length: 95 }, (_, at) => [`link${at}_url`, `http://${host(5_450, at)}`]),
  )
  const { check } = createContentModerator()
  check(item({ photos: host(100), note_url: `http://${host(50)}` }))
  for (const vehicle of [{ photos }, fields, links]) {
    const before = process.cpuUsage()
    picturesOf(item(vehicle))
    check(item(vehicle))
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
  }
})
