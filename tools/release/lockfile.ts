import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/settings.ts'

interface Locked {
  version: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  /** Marks a folder of the repository, which is not a package: it names the Node of the scripts. */
  link?: boolean
}

/** Programs with dependencies: only the worker has the optional ones, its classifier and its decoder. */
export type Delivered = 'command' | 'worker'

const isDelivered = ({ dev, optional, devOptional, link }: Locked, to: Delivered): boolean =>
  !dev && !link && (to === 'worker' || (!optional && !devOptional))

function delivered(to: Delivered): [string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return Object.entries(packages).filter(([path, locked]) => path !== '' && isDelivered(locked, to))
}

/** The folders of the delivered packages, from the root of the repository. */
export const deliveredPaths = (to: Delivered): string[] => delivered(to).map(([path]) => path)

/** The delivered packages, each as `name@version`. */
export const deliveredPackages = (to: Delivered): Set<string> =>
  new Set(delivered(to).map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`))
