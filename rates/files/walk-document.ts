import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Node, YAMLMap } from 'yaml'
import { joinPath, type PathSegment } from './path.ts'

/** What a walk over a document finds, each in the order of the text; an offset counts the characters before it. */
export interface Walk {
  /** The offset of each key that its map has already; keys are compared as text, because JSON has no other keys. */
  repeatedKeys: number[]
  /** What a rate set must not use: aliases, anchors, tags, and text that YAML 1.1 reads as a boolean. */
  surprises: { offset: number; message: string }[]
  /** Every scalar that is neither text nor null, except keys, with its path and its source text. */
  bare: { path: string; source: string }[]
  hasAlias: boolean
}

/** Walks a document once: the `visit` of the library, once for each question, took a fifth of `driveaway lint`. */
export function walkDocument(contents: unknown): Walk {
  const found: Walk = { repeatedKeys: [], surprises: [], bare: [], hasAlias: false }
  walk(contents, [], found)
  return found
}

/** `place` is the path of the node; undefined in a key. It is written out only where something is found. */
function walk(node: unknown, place: PathSegment[] | undefined, found: Walk): void {
  if (isScalar(node)) {
    look(node, found)
    if (place && typeof node.value !== 'string' && node.value !== null)
      found.bare.push({ path: place.reduce<string>(joinPath, ''), source: node.source ?? String(node.value) })
  } else if (isMap(node)) {
    look(node, found)
    walkMap(node, place, found)
  } else if (isSeq(node)) {
    look(node, found)
    for (const [position, item] of node.items.entries()) within(item, position, place, found)
  } else if (isAlias(node)) {
    found.hasAlias = true
    look(node, found)
  }
}

function walkMap(map: YAMLMap, place: PathSegment[] | undefined, found: Walk): void {
  for (const offset of repeatedKeysOf(map)) found.repeatedKeys.push(offset)
  for (const { key, value } of map.items) {
    walk(key, undefined, found)
    within(value, String(isScalar(key) ? key.value : key), place, found)
  }
}

function within(node: unknown, segment: PathSegment, place: PathSegment[] | undefined, found: Walk): void {
  place?.push(segment)
  walk(node, place, found)
  place?.pop()
}

function repeatedKeysOf(map: YAMLMap): number[] {
  const known = new Set<string>()
  const offsets: number[] = []
  for (const { key } of map.items) {
    if (!isScalar(key)) continue
    const text = String(key.value)
    if (known.has(text)) offsets.push(key.range?.[0] ?? 0)
    known.add(text)
  }
  return offsets
}

// kubectl reads YAML 1.1, in which a plain `no` is false; here it is text.
const YAML_1_1_BOOLEAN = /^(y|yes|n|no|on|off)$/i

function look(node: Node, { surprises }: Walk): void {
  const found = (message: string) => surprises.push({ offset: node.range?.[0] ?? 0, message })
  if (isAlias(node)) return void found(`write the value out instead of *${node.source}: a file reads like the law`)
  const { anchor, tag } = node as { anchor?: string; tag?: string }
  if (anchor !== undefined) found(`the anchor &${anchor} is not needed: aliases are refused`)
  if (tag !== undefined) found(`the tag ${tag} is not used in rate sets`)
  if (isScalar(node) && node.type === 'PLAIN' && YAML_1_1_BOOLEAN.test(String(node.source)))
    found(`quote it: "${node.source}", which kubectl would read as a boolean`)
}
