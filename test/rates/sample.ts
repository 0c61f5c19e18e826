/** Some of a list, chosen by a seed (the generator of Park and Miller); all of it where it has no more than `most`. */
export function sample<T>(list: readonly T[], most: number, seed: number): T[] {
  if (list.length <= most) return [...list]
  let state = (seed % 2_147_483_646) + 1
  const left = [...list]
  return Array.from({ length: most }, () => {
    state = (state * 48_271) % 2_147_483_647
    return left.splice(state % left.length, 1)[0]!
  })
}
