import { WrongCall } from './help.ts'

/** Returns the value if it is an allowed word of the option; else throws WrongCall. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(value)) return value as T
  throw new WrongCall(`--${option}: expected ${allowed.join(' or ')}, found ${value}`)
}

/** Returns `3 faults` or `1 fault`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)
