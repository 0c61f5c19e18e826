import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { writeEvaluatorPackage } from '../../tools/evaluator/build.ts'
import type * as Package from '../../evaluator/index.ts'

export type Evaluator = typeof Package

/** The package as whoever installs it has it, in a folder; `lib` has its modules. */
export async function builtEvaluator(folder: string): Promise<{ installed: string; lib: string; module: Evaluator }> {
  const archive = await writeEvaluatorPackage(thisEngine(), { folder: join(folder, 'package'), into: join(folder, 'dist') })
  const installed = join(folder, 'user/node_modules/@driveaway/evaluator')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', archive, '--strip-components=1', '-C', installed])
  const lib = join(installed, 'lib')
  return { installed, lib, module: (await import(join(lib, 'index.js'))) as Evaluator }
}
