/** Where a value is in an item: the field names and list positions that lead to it. */
export type Place = readonly (string | number)[]

const LONGEST_POINTER = 300

/**
 * JSON pointer from the item (RFC 6901, 3), shortened to a parent when a name in it is too long to repeat. Joined at once: a text that is
 * put together name by name keeps each of its beginnings, and a batch can have thousands of such texts.
 */
export function pointerOf(place: Place): string {
  const names = ['']
  let length = 0
  for (const key of place) {
    const name = String(key).slice(0, LONGEST_POINTER).replaceAll('~', '~0').replaceAll('/', '~1')
    if (length + 1 + name.length > LONGEST_POINTER) continue
    names.push(name)
    length += 1 + name.length
  }
  return names.join('/')
}

/** Whether a place is this one, or in it. */
export const isWithin = (place: Place, outer: Place): boolean => outer.every((key, at) => place[at] === key)

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown> | undefined)?.[key], value)

/**
 * A value with what it lacks at a place. `lacking`: every place that it lacks, this one too, with positions in lists as they were
 * before it lacked any.
 */
export const withPlace = <T>(value: T, added: { place: Place; value: unknown }, lacking: readonly Place[]): T =>
  put(value, added, lacking) as T

function put(target: unknown, { place, value }: { place: Place; value: unknown }, lacking: readonly Place[]): unknown {
  const [key, ...below] = place
  if (key === undefined || typeof target !== 'object' || target === null) return target
  const inside = lacking.flatMap(([first, ...rest]) => (first === key ? [rest] : []))
  const next = (each: unknown) => (below.length === 0 ? value : put(each, { place: below, value }, inside))
  if (!Array.isArray(target)) return { ...target, [key]: next((target as Record<string, unknown>)[key]) }
  const before = lacking.filter(({ length, 0: first }) => length === 1 && first! < key).length
  const position = Number(key) - before
  return target.toSpliced(position, below.length === 0 ? 0 : 1, next(target[position]))
}

/** A value without the fields and the entries of lists at these places. The value itself is not changed. */
export const withoutPlaces = <T>(value: T, places: readonly Place[]): T => without(value, places) as T

function without(value: unknown, places: readonly Place[]): unknown {
  const below = Map.groupBy(places, ([key]) => key)
  const kept = (key: string | number, each: unknown): unknown[] => {
    const inside = below.get(key)
    if (!inside) return [each]
    return inside.some(({ length }) => length === 1)
      ? []
      : [
          without(
            each,
            inside.map((place) => place.slice(1)),
          ),
        ]
  }
  if (Array.isArray(value)) return value.flatMap((each, position) => kept(position, each))
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, each]) => kept(key, each).map((left) => [key, left])),
  )
}
