import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { minify } from 'terser'
import ts from 'typescript'
import type { Engine } from '#rates/release/bundle.ts'
import { declarationsOf } from './declarations.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Writes the package `@driveaway/evaluator` into a folder and packs it: ESM with types and no dependency. Returns the
 * path of the archive. `lib/index.js` has what a page needs to quote; other modules are loaded when they are first
 * used.
 */
export async function writeEvaluatorPackage(
  engine: Engine,
  { folder, into }: { folder: string; into: string },
): Promise<string> {
  mkdirSync(join(folder, 'lib'), { recursive: true })
  await bundle(engine, join(folder, 'lib'))
  writeFileSync(join(folder, 'lib/index.d.ts'), declarationsOf(join(ROOT, 'evaluator/index.ts')))
  const entry = { types: './lib/index.d.ts', default: './lib/index.js' }
  const manifest = {
    name: '@driveaway/evaluator',
    version: engine.version,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    files: ['lib', 'showroom', 'README.md'],
    exports: { '.': entry },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(ROOT, 'evaluator/README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'evaluator/showroom'), join(folder, 'showroom'), { recursive: true })
  mkdirSync(into, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], { cwd: folder, encoding: 'utf8' })
  return join(into, (JSON.parse(packed) as { filename: string }[])[0]!.filename)
}

/** The modules, minified; their names contain no hash, so that a page can name the files it keeps. */
async function bundle(engine: Engine, folder: string): Promise<void> {
  const build = await rolldown({
    input: { index: join(ROOT, 'evaluator/index.ts') },
    // Modules of the engine only declare; loading them has no other effect.
    platform: 'neutral',
    treeshake: { moduleSideEffects: false },
    // Shared parts go into index.js: one file is smallest.
    preserveEntrySignatures: 'allow-extension',
    plugins: [withoutReasons],
    transform: {
      target: 'es2022',
      define: { DRIVEAWAY_ENGINE: JSON.stringify(engine) },
      inject: { 'Map.groupBy': [join(ROOT, 'evaluator/group-by.ts'), 'groupBy'] },
    },
  })
  await build.write({ dir: folder, format: 'esm', minify: true, chunkFileNames: '[name].js' })
  await build.close()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) await shorten(join(folder, file))
}

/**
 * Minifies again; the bundler's own minifier leaves about one percent more, compressed. Safe because no function of
 * ours is used as a constructor.
 */
async function shorten(file: string): Promise<void> {
  const { code = '' } = await minify(readFileSync(file, 'utf8'), {
    module: true,
    ecma: 2022,
    compress: { passes: 3, pure_getters: true, unsafe_arrows: true },
  })
  writeFileSync(file, code)
}

/**
 * Leaves out the reasons why a rate set cannot be compiled: a published set can be, and the texts are a kilobyte of
 * what a page loads. The error still names the set and the path.
 */
const withoutReasons: Plugin = {
  name: 'without-reasons',
  transform: (code, id) => {
    if (!id.includes('rates/engine/compile/')) return null
    const source = ts.createSourceFile(id, code, ts.ScriptTarget.Latest, true)
    const texts: ts.Node[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === 'refuse') texts.push(...node.arguments.slice(1))
      ts.forEachChild(node, visit)
    }
    visit(source)
    return texts.reduceRight((text, node) => `${text.slice(0, node.getStart())}''${text.slice(node.end)}`, code)
  },
}
