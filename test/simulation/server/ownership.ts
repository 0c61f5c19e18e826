import { isDeepStrictEqual } from 'node:util'
import type { Owners } from './object.ts'
import { refusal } from './refusal.ts'

/** The fields of an object that managers own: not its identity, and not what the server fills in. */
export type Fields = Record<string, unknown>

export interface Owned {
  fields: Fields
  owners: Owners
}

/** Separates the parts of a path; no field's name has it. */
const SEPARATOR = '\u0000'

type Leaves = Map<string, unknown>

/** The leaves by path: lists are one leaf, as they are for a server that knows no keys for their elements. */
function leavesOf(value: unknown, path = '', leaves: Leaves = new Map()): Leaves {
  if (!isMap(value) || (path !== '' && Object.keys(value).length === 0)) return leaves.set(path, value)
  for (const [key, each] of Object.entries(value)) leavesOf(each, path === '' ? key : path + SEPARATOR + key, leaves)
  return leaves
}

function isMap(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function fieldsOf(leaves: Leaves): Fields {
  const fields: Fields = {}
  for (const [path, value] of leaves) {
    const parts = path.split(SEPARATOR)
    let at = fields
    for (const part of parts.slice(0, -1)) at = (at[part] ??= {}) as Fields
    const last = parts.at(-1) as string
    // An empty map takes nothing away from what others have in it.
    if (isMap(value)) at[last] ??= {}
    else at[last] = value
  }
  return fields
}

/** Server-side apply: `manager` comes to own exactly what it sends; what it alone owned and no longer sends goes. */
export function applied(before: Owned | undefined, sent: Fields, manager: string, force: boolean): Owned {
  const own = `${manager} Apply`
  const wanted = leavesOf(sent)
  const leaves = leavesOf(before?.fields ?? {})
  const owners = copied(before?.owners)
  for (const [path, value] of wanted) take(path, value)
  for (const [path, names] of owners) {
    if (!names.has(own) || wanted.has(path)) continue
    names.delete(own)
    if (names.size > 0) continue
    owners.delete(path)
    leaves.delete(path)
  }
  return { fields: fieldsOf(leaves), owners }

  function take(path: string, value: unknown): void {
    const names = owners.get(path) ?? new Set<string>()
    const isChanged = leaves.has(path) && !isDeepStrictEqual(leaves.get(path), value)
    if (isChanged && [...names].some((name) => name !== own)) {
      if (!force) throw refusal(409, `Apply failed with a conflict at ${path.replaceAll(SEPARATOR, '.')}`)
      names.clear()
    }
    leaves.set(path, value)
    owners.set(path, names.add(own))
  }
}

/** A write of another kind: `manager` owns what it changed, and what is gone is nobody's. */
export function updated(before: Owned | undefined, fields: Fields, manager: string): Owned {
  const own = `${manager} Update`
  const former = leavesOf(before?.fields ?? {})
  const owners = new Map<string, Set<string>>()
  for (const [path, value] of leavesOf(fields)) {
    const isSame = former.has(path) && isDeepStrictEqual(former.get(path), value)
    owners.set(path, isSame ? new Set(before?.owners.get(path)) : new Set([own]))
  }
  return { fields, owners }
}

function copied(owners: Owners | undefined): Map<string, Set<string>> {
  return new Map([...(owners ?? [])].map(([path, names]) => [path, new Set(names)]))
}
