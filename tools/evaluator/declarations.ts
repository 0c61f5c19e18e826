import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** A top-level declaration of one of our modules. */
interface Named {
  file: string
  name: string
}

/**
 * The exported types of a module as one declaration file, with only those declarations of other modules that they refer
 * to. Throws when a type needs a package, or when two declarations have the same name.
 */
export function declarationsOf(entry: string): string {
  const root = dirname(dirname(entry))
  const files = emit(entry, root)
  const taken = new Map<string, { file: string; text: string }>()
  const open: Named[] = exportsOf(files.get(relative(root, entry))!)
  for (const wanted of open) {
    const { file, statement, next } = find(wanted, files)
    const known = taken.get(wanted.name)
    if (known && known.file !== file) throw new Error(`${wanted.name} is declared in ${known.file} and in ${file}`)
    if (known) continue
    taken.set(wanted.name, { file, text: statement })
    open.push(...next)
  }
  const isPublic = new Set(exportsOf(files.get(relative(root, entry))!).map(({ name }) => name))
  const texts = [...taken].map(([name, { text }]) =>
    isPublic.has(name) ? text : text.replace(/^((?:\/\*\*[\s\S]*?\*\/\s*)?)export /, '$1'),
  )
  return `${texts.join('\n')}\nexport {}\n`
}

/** The re-exports of a file: `export { … } from`. */
function exportsOf(file: ts.SourceFile): Named[] {
  return file.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return []
    return exportClause.elements.map(({ name }) => ({ file: resolve(file, moduleSpecifier), name: name.text }))
  })
}

/** A declaration, and the declarations that it refers to. */
function find({ file, name }: Named, files: ReadonlyMap<string, ts.SourceFile>) {
  const source = files.get(file)
  const found = source?.statements.find((statement) => declares(statement, name))
  if (!source || !found) throw new Error(`there is no declaration of ${name} in ${file}`)
  const imported = importsOf(source)
  const next: Named[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text !== name) {
      const local = source.statements.some((statement) => declares(statement, node.text))
      if (local && !isMember(node)) next.push({ file, name: node.text })
      else if (imported.has(node.text) && !isMember(node)) next.push(imported.get(node.text)!)
    }
    ts.forEachChild(node, visit)
  }
  visit(found)
  return { file, statement: found.getFullText(source).trim(), next }
}

/** Whether an identifier names a member or a parameter, not a declaration. */
function isMember({ parent, ...node }: ts.Identifier): boolean {
  const own = (parent as Partial<ts.NamedDeclaration>).name as ts.Node | undefined
  return own !== undefined && own.pos === node.pos && !ts.isTypeQueryNode(parent)
}

function declares(statement: ts.Statement, name: string): boolean {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.some((each) => ts.isIdentifier(each.name) && each.name.text === name)
  return (statement as Partial<ts.DeclarationStatement>).name?.text === name
}

function importsOf(file: ts.SourceFile): Map<string, Named> {
  const imports = file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) return []
    return bindings.elements.map(
      ({ name }) => [name.text, { file: resolve(file, moduleSpecifier), name: name.text }] as const,
    )
  })
  return new Map(imports)
}

const resolve = (from: ts.SourceFile, specifier: ts.Expression): string =>
  join(dirname(from.fileName), (specifier as ts.StringLiteral).text)

/** The declarations of all imported modules, by the path of their source from the root. */
function emit(entry: string, root: string): Map<string, ts.SourceFile> {
  const options: ts.CompilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: root,
    outDir: root,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.esnext.collection.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const emitted = new Map<string, ts.SourceFile>()
  ts.createProgram([entry], options).emit(undefined, (path, text) => {
    const file = relative(root, path).replace(/\.d\.ts$/, '.ts')
    emitted.set(file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  })
  return emitted
}
