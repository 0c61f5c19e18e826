import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

/**
 * Edits a YAML text at the positions of its parsed nodes. The library would print a document in its own layout (it
 * breaks long flow maps and refolds paragraphs), so this class edits the text and keeps every other byte.
 */
export class YamlText {
  readonly top: YAMLMap
  readonly #edits: { start: number; end: number; text: string }[] = []
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.top = parseDocument(text, { version: '1.2', schema: 'core' }).contents as unknown as YAMLMap
  }

  /** The edited text. */
  toString(): string {
    return this.#edits
      .toSorted((a, b) => b.start - a.start || b.end - a.end)
      .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), this.#text)
  }

  /** Replaces the scalar of a key and keeps its quotes; does nothing when the key is absent. */
  set(map: unknown, key: string, value: string): void {
    const node = valueAt(map, key)
    if (isScalar(node)) this.setScalar(node, value)
  }

  setScalar(node: Scalar, value: string): void {
    const [start, end] = node.range!
    this.#edits.push({ start, end, text: node.type === 'PLAIN' ? value : JSON.stringify(value) })
  }

  /** Replaces the value of a key in a map, or adds the key at the end, in quotes. */
  put(map: YAMLMap, key: string, value: string): void {
    if (map.has(key)) return this.set(map, key, value)
    const last = (map.items.at(-1) as Pair<Node, Node>).value!
    const end = this.#endOf(last)
    const separator = map.flow ? ', ' : `\n${' '.repeat(this.#columnOf(map.range![0]))}`
    const at = map.flow ? end : this.#lineEnd(end)
    this.#edits.push({ start: at, end: at, text: `${separator}${key}: ${JSON.stringify(value)}` })
  }

  /** Removes a key and its value from a map in block style; does nothing when the key is absent. */
  remove(map: YAMLMap, key: string): void {
    const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key) as Pair<Node, Node> | undefined
    if (!pair) return
    const end = this.#lineEnd(this.#endOf(pair.value!)) + 1
    this.#edits.push({ start: this.#lineStart(pair.key.range![0]), end, text: '' })
  }

  /** Edits the comment at the start of the file. */
  editHead(change: (comment: string) => string): void {
    const [head] = /^(#.*\n)*/.exec(this.#text)!
    this.#edits.push({ start: 0, end: head.length, text: change(head) })
  }

  /**
   * Removes items from a list in block style. A comment above an item is the heading of the items down to the next
   * comment: it is removed when all of them are, and otherwise changed by `heading`.
   */
  keep(list: YAMLSeq, isKept: (position: number) => boolean, heading = (comment: string) => comment): void {
    let open: { start: number; end: number } | undefined
    const remove = (range: typeof open) => range && this.#edits.push({ ...range, text: '' })
    for (const [position, item] of list.items.entries()) {
      const start = this.#lineStart((item as Node).range![0])
      const above = { start: this.#commentAbove(start), end: start }
      const comment = this.#text.slice(above.start, above.end)
      if (comment.includes('#')) {
        remove(open)
        open = above
      }
      if (!isKept(position)) remove({ start, end: this.#lineEnd(this.#endOf(item as Node)) + 1 })
      else if (open) {
        this.#edits.push({ ...open, text: heading(this.#text.slice(open.start, open.end)) })
        open = undefined
      }
    }
    remove(open)
  }

  /** The end of a node's text; the range of a folded text would extend to the next line. */
  #endOf(node: Node): number {
    const [start, end] = node.range!
    return start + this.#text.slice(start, end).trimEnd().length
  }

  #commentAbove(lineStart: number): number {
    let start = lineStart
    while (start > 0) {
      const previous = this.#lineStart(start - 1)
      if (!/^\s*(#.*)?$/.test(this.#text.slice(previous, start - 1))) break
      start = previous
    }
    return start
  }

  #lineStart = (offset: number) => this.#text.lastIndexOf('\n', offset - 1) + 1

  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset)
    return end < 0 ? this.#text.length : end
  }

  #columnOf = (offset: number) => offset - this.#lineStart(offset)
}

/** The node of a key; undefined when it is absent. */
export function valueAt(node: unknown, ...keys: string[]): Node | undefined {
  return keys.reduce<unknown>((at, key) => (isMap(at) ? at.get(key, true) : undefined), node) as Node | undefined
}

/** The maps of a list; none when the list is absent. */
export const mapsAt = (node: unknown, ...keys: string[]): YAMLMap[] => {
  const list = valueAt(node, ...keys)
  return isSeq(list) ? (list.items.filter((item) => isMap(item)) as YAMLMap[]) : []
}

/** The text of a key's scalar. */
export function textAt(node: unknown, ...keys: string[]): string | undefined {
  const scalar = valueAt(node, ...keys)
  return isScalar(scalar) ? String(scalar.value) : undefined
}
