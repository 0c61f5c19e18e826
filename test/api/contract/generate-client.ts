import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import ts from 'typescript'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'

/** A client that nobody wrote, and what can be done with it; all in a folder of its own, outside of this repository. */
export interface GeneratedClient {
  /** Writes a module beside `client/`. */
  write(name: string, text: string): Promise<void>
  /** What the compiler, strict, says of a module and all that it imports. */
  faultsOf(name: string): Fault[]
  /** Runs a module in a process of its own and reads what it prints as JSON; throws with its stderr when it fails. */
  run<T>(name: string, ...args: string[]): Promise<T>
  remove(): void
}

export interface Fault {
  file: string
  /** From 1. */
  line: number
  message: string
}

/** Generates a client from the document that is served at an address, as anybody would who has nothing else. */
export async function generateClient(documentUrl: string): Promise<GeneratedClient> {
  const { path, remove } = temporaryDirectory('client')
  const inside = (name: string) => join(path, name)
  await createClient({
    input: documentUrl,
    // Node runs TypeScript as it is, and resolves no import without its extension.
    output: { path: inside('client'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
  })
  await writeFile(inside('package.json'), '{ "type": "module" }\n')
  return {
    write: (name, text) => writeFile(inside(name), text),
    faultsOf: (name) => compile(inside(name)),
    run: async <T>(name: string, ...args: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [inside(name), ...args], { timeout: 120_000 })
      return JSON.parse(stdout) as T
    },
    remove,
  }
}

function compile(file: string): Fault[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  })
  return ts.getPreEmitDiagnostics(program).map(({ file: found, start = 0, messageText }) => ({
    file: found?.fileName.split('/').at(-1) ?? '',
    line: found ? found.getLineAndCharacterOfPosition(start).line + 1 : 0,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}

/** A module of things to write with a client, each on a line of its own under the first; it is compiled, never run. */
export const onePerLine = (imports: string, uses: Readonly<Record<string, string>>): string =>
  [imports, ...Object.values(uses).map((use) => `void (() => ${use})`)].join('\n')

/** Those of the things written that the compiler finds no fault with. */
export function unfaulted(uses: Readonly<Record<string, string>>, faults: readonly Fault[]): string[] {
  const lines = new Set(faults.map(({ line }) => line))
  return Object.keys(uses).filter((_use, index) => !lines.has(index + 2))
}
