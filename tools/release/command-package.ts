import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from '#explorer/build.ts'
import { BUNDLE } from '#explorer/page-files.ts'
import { root } from '../stack/settings.ts'
import { deliveredPaths } from './lockfile.ts'
import { run } from './process.ts'
import { thirdPartyNotices } from './third-party.ts'

/**
 * The folders of the command, whose sources run as they are. Rate sets are not included: users have their own
 * repository.
 */
const FOLDERS = ['cli', 'backup', 'crds', 'explorer', 'inventory', 'notices', 'rates', 'runtime']
const OF_THE_REPOSITORY = ['rates/sets', 'rates/cases', 'rates/overlays'].map((folder) => join(root, folder))

/** Not read at run time, and half of the size. */
const UNREAD = /\.(map|d\.[cm]?ts)$/

/**
 * Packs the command for npm, including its dependencies from the lockfile, so that its installation needs no registry.
 * A npm-shrinkwrap.json would not do: npm 11 ignores it in an archive. Returns the path of the archive.
 */
export async function packCommand(into: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'driveaway-command-'))
  try {
    for (const each of FOLDERS)
      cpSync(join(root, each), join(folder, each), {
        recursive: true,
        filter: (path: string) => !OF_THE_REPOSITORY.includes(path),
      })
    writeFileSync(join(folder, 'explorer/page', BUNDLE), await buildPrograms())
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    writeFileSync(
      join(folder, 'README.md'),
      '# driveaway\n\nThe command of Driveaway. `driveaway help` lists what the command does.\n',
    )
    bundleDependencies(folder)
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(folder))
    mkdirSync(into, { recursive: true })
    const packed = await run('npm', ['pack', '--silent', '--json', '--pack-destination', into], { cwd: folder })
    return join(into, (JSON.parse(packed) as { filename: string }[])[0]!.filename)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function manifest(): object {
  const read = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, type, engines, bin, imports, dependencies } = read
  return { name, version, type, engines, bin, imports, dependencies, bundleDependencies: true }
}

/** Copies the installed packages; npm packs them because of `bundleDependencies`. */
function bundleDependencies(folder: string): void {
  for (const path of deliveredPaths('command')) {
    const nested = join(root, path, 'node_modules')
    const filter = (each: string) => each !== nested && !UNREAD.test(each)
    cpSync(join(root, path), join(folder, path), { recursive: true, filter })
  }
}
