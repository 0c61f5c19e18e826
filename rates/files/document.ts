import { isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import type { Document, Node } from 'yaml'
import { describeFault, type LocatedFault, type Position } from './located.ts'
import { splitPath, type PathSegment } from './path.ts'
import { walkDocument, type Walk } from './walk-document.ts'

/** A parsed YAML document: its value, the position of each of its parts, and the faults of its YAML. */
export interface StrictDocument {
  file: string
  value: unknown
  faults: LocatedFault[]
  locate: (path: string) => Position
  /** Every scalar that is neither text nor null, except keys, with its path and its source text. */
  bare: Walk['bare']
}

// The library compares each key with every earlier key, which takes minutes for a map of 60,000 keys. See walkDocument.
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
  const walk = walkDocument(document.contents)
  const faults = [
    ...firstErrors(document.errors).map((error) => found('yaml', error.pos[0], error.message)),
    ...walk.repeatedKeys.map((offset) => found('duplicate-key', offset, TWICE)),
    ...documents.slice(1, 2).map((other) => found('one-document', other.range![0], 'a file holds one document')),
    ...walk.surprises.map(({ offset, message }) => found('plain-yaml', offset, message)),
  ]
  const usable = !faults.some((fault) => ['yaml', 'duplicate-key'].includes(fault.check)) && !walk.hasAlias
  return {
    file,
    value: usable ? document.toJS() : undefined,
    faults,
    locate: (path) => at(offsetOf(document, path)),
    bare: walk.bare,
  }
}

/**
 * Without what follows the first token outside the document: everything after such a token is outside too, so one bracket
 * too many would be thousands of errors.
 */
function firstErrors<E extends Error>(errors: readonly E[]): readonly E[] {
  const end = errors.findIndex(({ message }) => message.includes('in YAML stream'))
  return end < 0 ? errors : errors.slice(0, end + 1)
}

/** The value of a document; throws one error with every fault of its YAML. */
export function valueOf(document: StrictDocument): unknown {
  if (document.faults.length > 0) throw new Error(document.faults.map(describeFault).join('\n'))
  return document.value
}

function empty(file: string, fault: LocatedFault): StrictDocument {
  return { file, value: undefined, faults: [fault], locate: () => ({ line: 1, column: 1 }), bare: [] }
}

const TWICE = 'the key is repeated in this map; the later value would silently replace the first'

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
