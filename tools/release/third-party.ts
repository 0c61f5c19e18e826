import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The notices of the software of others that a program is delivered with. The images are built with these notices, so this
 * file imports nothing but Node: `node third-party.ts <folder with node_modules>`.
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

/** Every package that is installed in a folder, once a version, by name. */
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

/** What a package says of its licence: the files of that name, else what its README says, else the name of the licence. */
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

/** The notices of all packages that are installed in `folder`, with the texts of the LGPL where one of them is under it. */
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
