import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml'
import type { Document, Node, Scalar, YAMLMap } from 'yaml'
import { describeFault, type LocatedFault, type Position } from './located.ts'
import { joinPath, splitPath, type PathSegment } from './path.ts'

/** A parsed YAML document: its value, the position of each of its parts, and the faults of its YAML. */
export interface StrictDocument {
  file: string
  value: unknown
  faults: LocatedFault[]
  locate: (path: string) => Position
  /** Every scalar that is not a key, with its path and its source text. */
  scalars: () => { path: string; value: unknown; source: string }[]
}

// The library compares each key with every earlier key, which takes minutes for a map of 60,000 keys. See repeatedKeys.
const YAML_1_2 = { version: '1.2', schema: 'core', prettyErrors: false, uniqueKeys: false } as const

/** Parses one YAML document. Duplicate keys, several documents, aliases, tags and YAML 1.1 booleans are faults. */
export function parseDocument(text: string, file: string): StrictDocument {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { ...YAML_1_2, lineCounter: lines })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const found = (check: string, offset: number, message: string): LocatedFault => ({
    check,
    path: '',
    message,
    file,
    ...at(offset),
  })
  if (documents.length === 0 || !('length' in documents)) return empty(file, found('yaml', 0, 'the file is empty'))
  const document = documents[0] as Document<Node, true>
  const faults = [
    ...document.errors.map((error) => found('yaml', error.pos[0], error.message)),
    ...repeatedKeys(document).map((offset) => found('duplicate-key', offset, TWICE)),
    ...documents.slice(1, 2).map((other) => found('one-document', other.range![0], 'a file holds one document')),
    ...surprises(document).map(({ offset, message }) => found('plain-yaml', offset, message)),
  ]
  const usable = !faults.some((fault) => ['yaml', 'duplicate-key'].includes(fault.check)) && !hasAlias(document)
  return {
    file,
    value: usable ? document.toJS() : undefined,
    faults,
    locate: (path) => at(offsetOf(document, path)),
    scalars: () => [...scalarsOf(document.contents, '')],
  }
}

/** The value of a document; throws one error with every fault of its YAML. */
export function valueOf(document: StrictDocument): unknown {
  if (document.faults.length > 0) throw new Error(document.faults.map(describeFault).join('\n'))
  return document.value
}

function empty(file: string, fault: LocatedFault): StrictDocument {
  return { file, value: undefined, faults: [fault], locate: () => ({ line: 1, column: 1 }), scalars: () => [] }
}

const TWICE = 'the key is repeated in this map; the later value would silently replace the first'

/** The offset of each repeated key of a map; keys are compared as text, because JSON has no other keys. */
function repeatedKeys(document: Document): number[] {
  const offsets: number[] = []
  visit(document, {
    Map: (_key, map) => repeatedKeysOf(map).forEach((offset) => offsets.push(offset)),
  })
  return offsets
}

function repeatedKeysOf(map: YAMLMap): number[] {
  const known = new Set<string>()
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    const text = String(key.value)
    if (known.has(text)) return [key.range?.[0] ?? 0]
    known.add(text)
    return []
  })
}

const hasAlias = (document: Document) => {
  let found = false
  visit(document, { Alias: () => ((found = true), visit.BREAK) })
  return found
}

// kubectl reads YAML 1.1, in which a plain `no` is false; here it is text.
const YAML_1_1_BOOLEAN = /^(y|yes|n|no|on|off)$/i

function surprises(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  visit(document, {
    Node: (_key, node) => {
      const offset = node.range?.[0] ?? 0
      if (isAlias(node))
        found.push({ offset, message: `write the value out instead of *${node.source}: a file reads like the law` })
      else if (node.anchor !== undefined)
        found.push({ offset, message: `the anchor &${node.anchor} is not needed: aliases are refused` })
      if (!isAlias(node) && node.tag !== undefined)
        found.push({ offset, message: `the tag ${node.tag} is not used in rate sets` })
      if (isScalar(node) && node.type === 'PLAIN' && YAML_1_1_BOOLEAN.test(String(node.source)))
        found.push({ offset, message: `quote it: "${node.source}", which kubectl would read as a boolean` })
    },
  })
  return found
}

/** Offset of the part at a path, or of the deepest existing part above it; the entry of a map starts at its key. */
function offsetOf(document: Document, path: string): number {
  let step: Step | undefined = { anchor: document.contents, value: document.contents }
  let offset = 0
  for (const segment of [undefined, ...splitPath(path)]) {
    if (segment !== undefined) step = descend(step?.value, segment)
    if (!step || !isNode(step.anchor)) return offset
    offset = step.anchor.range?.[0] ?? offset
  }
  return offset
}

interface Step {
  anchor: unknown
  value: unknown
}

function descend(node: unknown, segment: PathSegment): Step | undefined {
  if (isSeq(node)) return { anchor: node.items[Number(segment)], value: node.items[Number(segment)] }
  const pair = isMap(node) ? node.items.find(({ key }) => (isScalar(key) ? key.value : key) === segment) : undefined
  return pair && { anchor: pair.key, value: pair.value }
}

function* scalarsOf(node: unknown, path: string): Generator<{ path: string; value: unknown; source: string }> {
  if (isScalar(node)) yield { path, value: node.value, source: (node as Scalar).source ?? String(node.value) }
  if (isSeq(node)) for (const [position, item] of node.items.entries()) yield* scalarsOf(item, joinPath(path, position))
  if (!isMap(node)) return
  for (const { key, value } of node.items)
    yield* scalarsOf(value, joinPath(path, String(isScalar(key) ? key.value : key)))
}
