import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** A server or a command that the project runs but does not contain. */
export interface Binary {
  name: string
  /** The folder under tools/ whose go.mod pins the version. */
  module: string
  /** The Go module that has the version, and the package to build. */
  goModule: string
  goPackage: string
  /** Linker variables for the version: without them kube-apiserver reports v0.0.0-master. */
  stamps: readonly string[]
  versionArguments: readonly string[]
  /** The oldest acceptable version, and the number of leading parts that must be equal. */
  atLeast: string
  sameParts: number
  /** Usual duration of a first build on two cores, in seconds. */
  usualSeconds: number
}

const kubernetesStamps = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']

const kubernetes = {
  module: 'kubernetes',
  goModule: 'k8s.io/kubernetes',
  stamps: kubernetesStamps.map((each) => `${each}.gitVersion`),
  atLeast: '1.34.0',
  sameParts: 2,
}

export const binaries: readonly Binary[] = [
  {
    name: 'nats-server',
    module: 'nats',
    goModule: 'github.com/nats-io/nats-server/v2',
    goPackage: 'github.com/nats-io/nats-server/v2',
    stamps: [],
    versionArguments: ['--version'],
    atLeast: '2.12.5',
    sameParts: 1,
    usualSeconds: 30,
  },
  {
    name: 'etcd',
    module: 'etcd',
    goModule: 'go.etcd.io/etcd/server/v3',
    goPackage: 'go.etcd.io/etcd/server/v3',
    stamps: [],
    versionArguments: ['--version'],
    atLeast: '3.6.0',
    sameParts: 2,
    usualSeconds: 35,
  },
  {
    ...kubernetes,
    name: 'kube-apiserver',
    goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver',
    versionArguments: ['--version'],
    usualSeconds: 180,
  },
  {
    ...kubernetes,
    name: 'kubectl',
    goPackage: 'k8s.io/kubernetes/cmd/kubectl',
    versionArguments: ['version', '--client'],
    usualSeconds: 20,
  },
  {
    // The controllers of a cluster, for tests: deletion of a namespace's objects, garbage collection, aggregated
    // roles. A Go module of its own, so that a change here does not build kube-apiserver again.
    ...kubernetes,
    name: 'kube-controller-manager',
    module: 'controllers',
    goPackage: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    versionArguments: ['--version'],
    usualSeconds: 60,
  },
  {
    name: 'helm',
    module: 'helm',
    goModule: 'helm.sh/helm/v3',
    goPackage: 'helm.sh/helm/v3/cmd/helm',
    stamps: ['helm.sh/helm/v3/internal/version.version'],
    versionArguments: ['version', '--short'],
    atLeast: '3.18.0',
    sameParts: 1,
    usualSeconds: 60,
  },
  {
    name: 'kind',
    module: 'kind',
    goModule: 'sigs.k8s.io/kind',
    goPackage: 'sigs.k8s.io/kind',
    stamps: [],
    versionArguments: ['version'],
    atLeast: '0.30.0',
    sameParts: 1,
    usualSeconds: 20,
  },
  {
    // A registry of images and charts in memory, for tests. It does not report a version, so it is always built.
    name: 'oci-registry',
    module: 'registry',
    goModule: 'github.com/google/go-containerregistry',
    goPackage: 'github.com/google/go-containerregistry/cmd/registry',
    stamps: [],
    versionArguments: ['-version'],
    atLeast: '0.22.1',
    sameParts: 1,
    usualSeconds: 20,
  },
]

/** The binaries of the local stack; others, such as helm and kind, are built when named. */
export const serverNames = ['nats-server', 'etcd', 'kube-apiserver', 'kubectl'] as const

/** The binary of that name; for an unknown name, the error lists the known ones. */
export function binaryNamed(name: string): Binary {
  const found = binaries.find((each) => each.name === name)
  if (found) return found
  throw new Error(`No binary ${name}; known: ${binaries.map((each) => each.name).join(', ')}`)
}

/** The version pinned in go.mod, and a file name that changes whenever the build would change. */
export function pinned(binary: Binary, toolsDirectory: string) {
  const read = (file: string) => readFileSync(join(toolsDirectory, binary.module, file), 'utf8')
  const goMod = read('go.mod')
  const escaped = binary.goModule.replaceAll('.', '\\.')
  const version = new RegExp(`^\\s*(?:require )?${escaped} v(\\S+)`, 'm').exec(goMod)?.[1]
  if (!version) throw new Error(`tools/${binary.module}/go.mod does not require ${binary.goModule}`)
  const recipe = JSON.stringify([goMod, read('go.sum'), binary.goPackage, linkerFlags(binary, version)])
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 10)
  return { version, fileName: `${binary.name}-v${version}-${hash}` }
}

/** Linker flags: no symbol table, and the version if the program needs it. */
export function linkerFlags(binary: Binary, version: string): string {
  const [major, minor] = version.split('.')
  const stamps = binary.stamps.flatMap((variable) => {
    const stamp = `-X ${variable}=v${version}`
    if (!variable.endsWith('.gitVersion')) return [stamp]
    const stem = variable.slice(0, -'gitVersion'.length)
    return [stamp, `-X ${stem}gitMajor=${major}`, `-X ${stem}gitMinor=${minor}`]
  })
  return ['-s', '-w', ...stamps].join(' ')
}

/** Whether a program of this version can be used in place of the pinned one. */
export function isAcceptable(binary: Binary, version: string): boolean {
  const minimum = binary.atLeast.split('.').map(Number)
  const actual = version.split(/[.+-]/).map(Number)
  const differing = minimum.findIndex((part, index) => actual[index] !== part)
  if (differing < 0) return true
  return differing >= binary.sameParts && (actual[differing] ?? -1) > (minimum[differing] ?? 0)
}
