/** Numbers in [0, 1) that one seed decides (mulberry32). */
export type Chance = () => number

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One number that a seed and a position decide, whatever was drawn before: leaving a fault out changes no other. */
export function chanceAt(seed: number, position: number): number {
  return chanceOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(position, 0xc2b2ae35))()
}

export function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[Math.floor(chance() * values.length)] as T
}
