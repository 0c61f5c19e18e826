import { SyntaxKind, type BlacklistedTerm, type Node, type ParsedPattern, type TransformerContainer } from 'obscenity'

/**
 * Whether a text of at most 1,000 UTF-16 units may contain a term of the library. False only when the library finds
 * none.
 */
export type Screen = (text: string) => boolean

/** The library's English list is ASCII, so all other letters can be treated as one. */
const ASCII = 0x80
const OTHER = 0xff
/** The code points of the Basic Multilingual Plane, which the table covers; other code points are folded one by one. */
const PLANE = 0x1_00_00
const LONGEST = 1_000

/**
 * Answers at once what the library asks of a text for each of its 129 patterns. The library folds each letter through a
 * chain of transformers, then searches for one pattern after another. The screen folds with a table built from the same
 * transformers, and searches for all patterns with one expression.
 */
export function createScreen(terms: readonly BlacklistedTerm[], transformers: readonly TransformerContainer[]): Screen {
  const fold = createFold(transformers)
  const any = new RegExp(terms.map(({ pattern }) => sourceOf(pattern)).join('|'), 's')
  return (text) => any.test(fold(text))
}

/**
 * Folds a text into bytes: ASCII becomes what it folds into, everything else one letter; repeated letters are removed
 * as in the library.
 */
function createFold(transformers: readonly TransformerContainer[]): (text: string) => string {
  const letterOf = letterBy(transformers)
  const letters = Uint16Array.from({ length: PLANE }, (_, codePoint) => letterOf(codePoint))
  const longestRuns = longestRunsBy(transformers)
  const bytes = Buffer.alloc(LONGEST)
  return (text) => {
    let [length, last, run] = [0, -1, 0]
    for (let index = 0; index < text.length; index++) {
      const codePoint = text.codePointAt(index)!
      const isPair = codePoint >= PLANE
      if (isPair) index++
      const letter = isPair ? letterOf(codePoint) : letters[codePoint]!
      run = letter === last ? run + 1 : 1
      last = letter
      if (run > longestRuns[Math.min(letter, ASCII)]!) continue
      bytes[length++] = letter < ASCII ? letter : OTHER
      if (letter >= PLANE) bytes[length++] = OTHER
    }
    return bytes.toString('latin1', 0, length)
  }
}

/** Folds one letter with those transformers that look at single letters. */
function letterBy(transformers: readonly TransformerContainer[]): (codePoint: number) => number {
  const simple = transformers.flatMap((each) => ('transform' in each ? [each.transform] : []))
  return (codePoint) => simple.reduce((letter, transform) => transform(letter) ?? letter, codePoint)
}

/**
 * How many equal letters in a row the transformer with state keeps: for each ASCII letter, then for any other letter.
 */
function longestRunsBy(transformers: readonly TransformerContainer[]): Uint8Array {
  return Uint8Array.from({ length: ASCII + 1 }, (_, letter) => {
    const withMemory = transformers.flatMap((each) => ('factory' in each ? [each.factory()] : []))
    const isKept = () => withMemory.every((each) => each.transform(letter) !== undefined)
    return [1, 2, 3, 4].filter(isKept).length
  })
}

function sourceOf({
  nodes,
  requireWordBoundaryAtStart: atStart,
  requireWordBoundaryAtEnd: atEnd,
}: ParsedPattern): string {
  return `${atStart ? '\\b' : ''}${nodes.map(sourceOfNode).join('')}${atEnd ? '\\b' : ''}`
}

function sourceOfNode(node: Node): string {
  if (node.kind === SyntaxKind.Wildcard) return '.'
  if (node.kind === SyntaxKind.Optional) return `(?:${sourceOfNode(node.childNode)})?`
  return node.chars.map((char) => `\\x${char.toString(16).padStart(2, '0')}`).join('')
}
