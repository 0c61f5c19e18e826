import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { namedSpecs } from '#rates/files/compile.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { describeFault } from '#rates/files/located.ts'
import { canonicalJson, sha256 } from '#rates/published/canonical.ts'
import { readBundle, type OpenedBundle } from '#rates/release/bundle.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { readReleaseKey } from '#rates/release/keys.ts'
import { ReleaseFault } from '#rates/release/signed.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { writeBundle } from '#rates/release/write-bundle.ts'
import { WrongCall, type Help } from './help.ts'
import type { ReadRelease } from './kept-release.ts'
import { counted } from './output.ts'
import { SETS } from './rate-folders.ts'
import { readSide } from './sides.ts'
import type { Terminal } from './terminal.ts'
import { keysIn } from './trusted-keys.ts'

export const help: Help = {
  usage: [
    'bundle [DIR | git:REV[:path] | context:NAME[@RELEASE or @TIME]] --key FILE -o FILE',
    'bundle context:NAME --archive DIR --key FILE [--keys FILE]',
    'bundle --verify FILE --keys FILE',
  ],
  about:
    'Writes one release as one signed file, which the evaluator opens to quote without a server. The content is the same for the same rate sets, whatever the folder, the revision or the machine; only the signature names the time. Of a context, the bundle has the release that is in force, or the kept one that is named, with the attestations of the cluster and the times at which the release was in force. With --archive, every release that the cluster keeps becomes a file of the folder, from which pricing reads what the cluster has forgotten; nothing there is deleted. With --verify, checks the signature and every digest of a bundle, without a network.',
  options: [
    ['--key FILE', 'the private key that signs, as release-key writes it; it names the environment'],
    ['-o, --out FILE', 'the file to write'],
    ['--archive DIR', 'the folder of the archive; releases that it has already are left as they are'],
    ['--verify FILE', 'the bundle to check'],
    [
      '--keys FILE',
      'the public keys that are trusted: a JSON list of JWKs with kid and environment; for --archive, the retired keys that signed what is there',
    ],
  ],
  examples: [
    ['bundle git:HEAD --key release-2026.json -o rates.bundle', 'the release of the last commit'],
    ['bundle context:production --key release-2026.json -o rates.bundle', 'the release that a cluster publishes now'],
    [
      'bundle context:production --archive /mnt/releases --key release-2026.json --keys keys.json',
      'all releases that a cluster keeps, for the archive',
    ],
    ['bundle --verify rates.bundle --keys keys.json', 'who signed a bundle, and whether it is unchanged'],
  ],
  exits: {
    done: 'the bundle is written, or it is valid; or every release is in the archive',
    refused: 'the rates have faults, the bundle is not valid, or a release could not be archived',
  },
}

export const options = {
  key: { type: 'string', path: 'file' },
  out: { type: 'string', short: 'o', path: 'file' },
  archive: { type: 'string', path: 'folder' },
  verify: { type: 'string', path: 'file' },
  keys: { type: 'string', path: 'file' },
} as const

export const operands = { path: 'folder' } as const

/** Writes or verifies a bundle; returns 1 when the rates have faults or the bundle is invalid. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const { key, out, archive, verify, keys } = values
  if (verify !== undefined) {
    if (!keys || positionals.length > 0) throw new WrongCall('--verify takes a bundle, and --keys the trusted keys')
    return check(verify, keys, terminal)
  }
  if (archive !== undefined) return writeArchive(positionals, { archive, key, keys, out }, terminal)
  if (!key || !out || positionals.length > 1)
    throw new WrongCall('--key and --out are expected, and at most one source')
  return write(positionals[0] ?? SETS, { key, out }, terminal)
}

interface ArchiveOptions {
  archive: string
  key: string | undefined
  keys: string | undefined
  out: string | undefined
}

async function writeArchive(
  [source = '', ...others]: readonly string[],
  { archive, key, keys, out }: ArchiveOptions,
  terminal: Terminal,
): Promise<number> {
  if (!source.startsWith('context:') || source.includes('@') || others.length > 0 || !key || out !== undefined)
    throw new WrongCall('--archive takes context:NAME and --key, and no -o')
  const { archiveReleases } = await import('./archive-releases.ts')
  const own = await readReleaseKey(key)
  const listed = keys === undefined ? [] : keysIn(keys)
  // The own key as it is listed: it may have a last day.
  const trusted = listed.some(({ kid }) => kid === own.kid) ? listed : [own.published, ...listed]
  return archiveReleases(source, archive, { own, trusted }, terminal)
}

async function write(source: string, { key, out }: { key: string; out: string }, terminal: Terminal): Promise<number> {
  const release = await releaseAt(source, terminal)
  if (!release) return 1
  const { content, ...said } = release
  const own = await readReleaseKey(key)
  const iat = Math.floor(Date.now() / 1000)
  const circumstances = { environment: own.environment, iat, engine: thisEngine(), ...said }
  const bytes = await writeBundle(content, circumstances, own)
  writeFileSync(out, bytes)
  terminal.write(
    `${out}: ${counted(content.sets.length, 'rate set')}, ${bytes.length} bytes, signed by ${own.kid} of ${own.environment}`,
  )
  terminal.write(`release ${content.release}`)
  terminal.write(`content ${sha256(canonicalJson(content))}`)
  return 0
}

/** The release of a source; undefined where its rates have faults, which are written. */
async function releaseAt(source: string, terminal: Terminal): Promise<ReadRelease | undefined> {
  if (source.startsWith('context:')) {
    const { readKeptRelease } = await import('./kept-release.ts')
    return readKeptRelease(source)
  }
  // What is signed is parsed anew.
  const { files } = await readSide(source, parse)
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  return faults.length > 0 ? undefined : { content: contentOf(namedSpecs(files)), attestations: {} }
}

async function check(file: string, keysFile: string, terminal: Terminal): Promise<number> {
  const keys = keysIn(keysFile)
  try {
    const opened = await readBundle(new Uint8Array(readFileSync(file)), keys)
    checkSets(opened)
    for (const line of said(file, opened)) terminal.write(line)
    return 0
  } catch (fault) {
    if (!(fault instanceof ReleaseFault)) throw fault
    terminal.note(`${file}: ${fault.message}`)
    return 1
  }
}

/** Builds the release again from the rate sets in the bundle: each digest must equal the signed one. */
function checkSets({ content, claims }: OpenedBundle): void {
  const again = contentOf(content.sets.map(({ entry: { name }, spec }) => ({ name, spec: spec as RateSetSpec })))
  if (again.release !== claims.release)
    throw new ReleaseFault('other_release', `the rate sets give ${again.release}, but ${claims.release} was signed`)
}

function said(file: string, { kid, claims, content }: OpenedBundle): string[] {
  const { environment, iat, engine, release, inForce = [] } = claims
  const isSame = engine.digest === thisEngine().digest
  return [
    `${file}: ${counted(content.sets.length, 'rate set')}, signed by ${kid} of ${environment} at ${new Date(iat * 1000).toISOString()}`,
    `release ${release}`,
    `content ${claims.content}`,
    `engine  ${engine.version} ${engine.digest}${isSame ? ', which is this one' : `; this one is ${thisEngine().digest}`}`,
    ...inForce.map(({ since, until }) => `in force since ${since}${until === undefined ? '' : ` until ${until}`}`),
  ]
}
