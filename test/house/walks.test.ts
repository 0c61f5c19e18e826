import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
const [, section = ''] = /^## Three walks\n([\s\S]*?)^## /m.exec(page) ?? []

/** The walks of the page: what the heading counts, and the rooms with their files, in order. */
const walks = section
  .split(/^### /m)
  .slice(1)
  .map((walk) => {
    const [heading = ''] = walk.split('\n')
    const rows = [...walk.matchAll(/^\| `([^`]+\/)`( again)? \| (.*?) \|/gm)]
    const rooms = rows.map(([, room = '', again, cell = '']) => ({
      room,
      isReturn: again !== undefined,
      files: [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => `${room}${file}`),
    }))
    return { heading, rooms }
  })

test('the page has three walks', () => {
  expect(walks.map(({ heading }) => heading.split(':')[0])).toEqual(['A quote', 'A rate change', 'A batch'])
})

test.each(walks)('$heading: every file exists, and the heading counts files, rooms and returns', ({ heading, rooms }) => {
  const files = rooms.flatMap((one) => one.files)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  const entered = rooms.map(({ room }) => room)
  expect(rooms.filter(({ isReturn }) => isReturn).map(({ room }) => room)).toEqual(
    entered.filter((room, at) => entered.indexOf(room) < at),
  )
  const returns = rooms.length - new Set(entered).size
  const counts = `${new Set(files).size} files, ${new Set(entered).size} rooms, ${returns} return${returns === 1 ? '' : 's'}`
  expect(heading.split(': ')[1]).toBe(counts)
})
