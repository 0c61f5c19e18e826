import { createHash, randomUUID } from 'node:crypto'
import { root } from '../stack/settings.ts'
import { referenceOf, type ImageSettings } from './images.ts'
import { deliveredPackages, type Delivered } from './lockfile.ts'
import { natsModules } from './nats-binary.ts'
import { run } from './process.ts'

/** A CycloneDX bill of materials, with only the fields that are read here. */
export interface Bill {
  metadata: { component: Component; [more: string]: unknown }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
  [more: string]: unknown
}

interface Component {
  type: string
  name: string
  version: string
  purl: string
  'bom-ref': string
  [more: string]: unknown
}

/** The packages of the lockfile that are delivered with a program. */
export async function npmSoftware(name: string, to: Delivered): Promise<Bill> {
  // With --omit, npm 11 leaves out two thirds of them: every package that a development package needs too.
  const said = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: root })
  const bill = JSON.parse(said) as Bill
  const packages = deliveredPackages(to)
  const components = bill.components.filter((each) => packages.has(`${each.name}@${each.version}`))
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }))
  // npm uses the name of the folder.
  const component = { ...bill.metadata.component, name }
  return { ...bill, metadata: { ...bill.metadata, component }, components, dependencies }
}

/** The Debian packages in an image, all from its base. */
export async function debianSoftware(settings: ImageSettings, image: 'platform' | 'worker'): Promise<Component[]> {
  const format = '${Package}\\t${Version}\\t${Architecture}\\n'
  const query = ['--entrypoint', 'dpkg-query', referenceOf(settings, image), '-W', '-f', format]
  const told = await run('docker', ['run', '--rm', '--network', 'none', ...query])
  return told
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', architecture = ''] = line.split('\t')
      return component(name, version, `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`)
    })
}

/** The contents of an image: npm packages, Debian packages and Node. */
export async function imageSoftware(settings: ImageSettings, image: 'platform' | 'worker'): Promise<Bill> {
  const bill = await npmSoftware(`driveaway/${image}`, image === 'worker' ? 'worker' : 'command')
  const node = (
    await run('docker', ['run', '--rm', '--network', 'none', referenceOf(settings, image), '--version'])
  ).trim()
  const version = node.replace(/^v/, '')
  const own = component('node', version, `pkg:generic/node@${version}`)
  return { ...bill, components: [...bill.components, own, ...(await debianSoftware(settings, image))] }
}

/** The contents of the NATS image: the Go modules linked into the server. */
export async function natsSoftware(version: string): Promise<Bill> {
  const modules = await natsModules()
  const components = modules.map((each) =>
    component(each.path, each.version, `pkg:golang/${each.path}@${each.version}`),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { component: { ...component('driveaway/nats', version, `pkg:oci/nats@${version}`), type: 'container' } },
    components,
    dependencies: [],
  }
}

function component(name: string, version: string, purl: string): Component {
  const reference = createHash('sha256').update(purl).digest('hex').slice(0, 16)
  return { type: 'library', name, version, purl, 'bom-ref': `${name}-${reference}` }
}
