import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The licence notices of the third-party software delivered with a program. The images are built with this file, so it
 * imports only Node modules: `node third-party.ts <folder with node_modules>`.
 */

interface Manifest {
  name: string
  version: string
  license?: string
}

const LICENCES = join(import.meta.dirname, 'licenses')

const LGPL = `Libraries under the GNU Lesser General Public License are linked dynamically and are not changed: they are files of their own
below node_modules/@img, which may be replaced by another version. Their sources and the scripts that build them:
https://github.com/lovell/sharp-libvips; versions.json beside each has the versions. The texts of the LGPL and of the GPL,
which the LGPL adds to, are at the end.`

/** Every package installed in a folder, each version once, sorted by name. */
function installed(folder: string): { manifest: Manifest; at: string }[] {
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const paths = names.flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
      : [join(modules, name)],
  )
  return paths.flatMap((at) => {
    if (!existsSync(join(at, 'package.json'))) return []
    const manifest = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Manifest
    return [{ manifest, at }, ...installed(at)]
  })
}

/** The licence text of a package: its licence files, else the section of its README, else the name of the licence. */
function licenceText({ manifest, at }: { manifest: Manifest; at: string }): string {
  const files = readdirSync(at).filter((file) => /^(licen[cs]e|notice|copying|third.?party)/i.test(file))
  const texts = files.flatMap((file) => {
    const path = join(at, file)
    return /\.(js|json|ts)$/.test(file) ? [] : [readFileSync(path, 'utf8').trim()]
  })
  const readme = existsSync(join(at, 'README.md')) ? readFileSync(join(at, 'README.md'), 'utf8') : ''
  const section = /^#+ Licen[cs](?:e|ing)[\s\S]*/m.exec(readme)?.[0].trim()
  if (section !== undefined && (texts.length === 0 || manifest.name.startsWith('@img/'))) texts.push(section)
  return texts.join('\n\n') || `Licence: ${manifest.license ?? 'not said'}`
}

/** The notices of all packages installed in `folder`, with the LGPL texts if one of them is licensed under it. */
export function thirdPartyNotices(folder: string, only: (name: string) => boolean = () => true): string {
  const found = new Map(
    installed(folder)
      .filter(({ manifest: { name, version } }) => name && version && only(name))
      .map((one) => [`${one.manifest.name} ${one.manifest.version}`, one]),
  )
  const packages = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
  const isUnderLgpl = packages.some(([, { manifest }]) => manifest.license?.includes('LGPL'))
  const sections = packages.map(
    ([title, one]) => `${title} (${one.manifest.license ?? 'not said'})\n\n${licenceText(one)}\n`,
  )
  const texts = ['LGPL-3.0.txt', 'GPL-3.0.txt'].map((file) => readFileSync(join(LICENCES, file), 'utf8'))
  const line = `${'='.repeat(80)}\n`
  const opening = `Software of others in Driveaway, and its licences: ${packages.length} packages.\n`
  return [opening, ...(isUnderLgpl ? [`${LGPL}\n`] : []), ...sections, ...(isUnderLgpl ? texts : [])].join(line)
}

if (import.meta.main) process.stdout.write(thirdPartyNotices(process.argv[2] ?? '.'))
