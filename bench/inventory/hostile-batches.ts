/** Size of the largest accepted body, in bytes. */
const MOST = 2 * 1024 * 1024

const VEHICLE = '"vehicle":{"source_id":"m"'
const HEAD = `{"source_name":"x","moderate_images":false,"moderate_content":false,"items":[{${VEHICLE}`

/** Bodies of 2 MB by what fills them; each is expensive in another way to parse, validate or moderate. */
export function hostileBatches(): Record<string, string> {
  return {
    'small assets': filled(`${HEAD}},"assets":[`, () => '{"src":"a"}', ']}]}'),
    numbers: filled(`${HEAD},"further":[`, () => '1', ']}}]}'),
    names: filled(`${HEAD},`, (at) => `"name${at}":1`, '}}]}'),
    nothing: filled(`${HEAD},`, (at) => `"name${at}":null`, '}}]}'),
    lists: filled(`${HEAD},"further":[`, () => '[]', ']}}]}'),
    items: filled('{"source_name":"x","items":[', () => '{}', ']}'),
    'one name twice, at the end': filled(`${HEAD},"further":[`, () => '{"a":1}', ',{"a":1,"a":1}]}}]}'),
    levels: `${HEAD},"further":${'['.repeat(MOST / 2 - 100)}${']'.repeat(MOST / 2 - 100)}}}]}`,
    'as many values as are taken': filled(`${HEAD},`, (at) => `"a name of twenty ${at}":1`, '}}]}', 99_000),
    'one text': `${HEAD},"further":"${'\\n'.repeat(MOST / 2 - 100)}"}}]}`,
  }
}

/** A body that repeats a unit until it is full, at most `most` times. */
function filled(head: string, unit: (at: number) => string, tail: string, most = Infinity): string {
  const units: string[] = []
  let size = head.length + tail.length
  for (let next = unit(0); size + next.length < MOST && units.length < most; next = unit(units.length)) {
    units.push(next)
    size += next.length + 1
  }
  return `${head}${units.join(',')}${tail}`
}
