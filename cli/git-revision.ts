import { spawnSync } from 'node:child_process'
import { WrongCall } from './help.ts'
import { SETS } from './rate-folders.ts'

/** The parts of `git:REV[:path]`; undefined for another label. */
export function revisionIn(label: string): { revision: string; path: string } | undefined {
  const [, revision, path = SETS] = /^git:([^:]+)(?::(.+))?$/.exec(label) ?? []
  return revision === undefined ? undefined : { revision, path }
}

/**
 * The YAML files below a path at a revision, with their texts. Throws WrongCall for a revision or path unknown to Git.
 */
export function filesAt(revision: string, path: string): { file: string; text: string }[] {
  const listed = git(['ls-tree', '-r', '-z', '--name-only', revision, '--', path]).toString('utf8')
  const files = listed.split('\0').filter((file) => /\.ya?ml$/.test(file) && !/(^|\/)kustomization\.ya?ml$/.test(file))
  if (files.length === 0) throw new WrongCall(`git has no rate sets in ${path} at ${revision}`)
  const blobs = git(['cat-file', '--batch'], files.map((file) => `${revision}:./${file}\n`).join(''))
  return textsOf(blobs, files)
}

/** Parses `<object> blob <bytes>`, the bytes and a line end for each requested name (git-cat-file, batch output). */
function textsOf(blobs: Buffer, files: readonly string[]): { file: string; text: string }[] {
  let at = 0
  return files.map((file) => {
    const end = blobs.indexOf('\n', at)
    const size = Number(blobs.toString('utf8', at, end).split(' ')[2])
    if (!Number.isInteger(size)) throw new Error(`git has no ${file}: ${blobs.toString('utf8', at, end)}`)
    at = end + 1 + size + 1
    return { file, text: blobs.toString('utf8', end + 1, end + 1 + size) }
  })
}

function git(args: string[], input?: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', args, { input, maxBuffer: 256 * 1024 * 1024 })
  if (error) throw new Error(`git cannot run: ${error.message}`)
  if (status !== 0) throw new WrongCall(`git: ${stderr.toString('utf8').trim()}`)
  return stdout
}
