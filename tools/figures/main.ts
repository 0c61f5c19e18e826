import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

// The figures that docs/decisions/0069 compares: node tools/figures/main.ts. Tests and benchmarks are left out.
const files = execFileSync('git', ['ls-files', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/^(test|bench)\//.test(file))

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  return `median ${at(sorted, 0.5)}, p90 ${at(sorted, 0.9)}, longest ${sorted.at(-1)}`
}

/** The length in lines of each function with a block body; nested functions count on their own too. */
function functionLines(source: ts.SourceFile): number[] {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined
    if (body && ts.isBlock(body)) found.push(lineOf(node.end) - lineOf(node.getStart(source)) + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The number of lines that start inside a comment, and of lines that are not blank. */
function commentLines(text: string): { comments: number; lines: number } {
  const lines = text.split('\n').map((line) => line.trim())
  const written = lines.filter((line) => line !== '')
  return { comments: written.filter((line) => /^(\/\/|\/\*|\*)/.test(line)).length, lines: written.length }
}

const texts = files.map((file) => readFileSync(file, 'utf8'))
const lines = texts.map((text) => text.trimEnd().split('\n').length)
const counted = texts.map(commentLines)
const total = (key: 'comments' | 'lines') => counted.reduce((sum, one) => sum + one[key], 0)
const functions = texts.flatMap((text, index) =>
  functionLines(ts.createSourceFile(files[index] ?? '', text, ts.ScriptTarget.Latest, true)),
)
console.log(`files ${files.length}: ${spread(lines)}; ${lines.filter((count) => count < 30).length} below 30 lines`)
console.log(`functions ${functions.length}: ${spread(functions)}`)
console.log(`comments: ${((100 * total('comments')) / total('lines')).toFixed(1)} % of the lines that are not blank`)
