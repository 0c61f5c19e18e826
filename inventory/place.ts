/** Where a value is in an item: the field names and list positions that lead to it. */
export type Place = readonly (string | number)[]

const LONGEST_POINTER = 300

/** JSON pointer from the item (RFC 6901, 3), shortened to a parent when a name in it is too long to repeat. */
export function pointerOf(place: Place): string {
  return place.reduce<string>((path, key) => {
    const name = String(key).slice(0, LONGEST_POINTER).replaceAll('~', '~0').replaceAll('/', '~1')
    const longer = `${path}/${name}`
    return longer.length > LONGEST_POINTER ? path : longer
  }, '')
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
