import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** A server or command that the project runs and does not write itself. */
export interface Binary {
  name: string
  /** The folder under tools/ whose go.mod pins it. */
  module: string
  /** The Go module whose version counts, and the package in it that is built. */
  goModule: string
  goPackage: string
  /** Linker variables that take the version: without them kube-apiserver calls itself v0.0.0-master. */
  stamps: readonly string[]
  versionArguments: readonly string[]
  /** The oldest acceptable version, and how many leading parts of it must be equal. */
  atLeast: string
  sameParts: number
  /** Seconds of a first build on two cores. */
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
    // The controllers of a cluster, for tests: namespaces that go, owners that go, roles that join. A module of its own, because
    // one of kube-apiserver and of this would build that again with each change here.
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
    // A registry of images and charts in memory, for tests; it has no version to ask for, so it is always built.
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

/** What the local stack needs; helm and kind are built only when asked for by name. */
export const serverNames = ['nats-server', 'etcd', 'kube-apiserver', 'kubectl'] as const

/** The binary of that name; an unknown name is an error that lists the known ones. */
export function binaryNamed(name: string): Binary {
  const found = binaries.find((each) => each.name === name)
  if (found) return found
  throw new Error(`No binary ${name}; known: ${binaries.map((each) => each.name).join(', ')}`)
}

/** The version that go.mod pins, and a name for the built file that changes whenever the build would. */
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

/** The linker flags: no symbol table, and the version where the program asks for one. */
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

/** Whether a program that says it is `version` may stand in for the pinned one. */
export function isAcceptable(binary: Binary, version: string): boolean {
  const minimum = binary.atLeast.split('.').map(Number)
  const actual = version.split(/[.+-]/).map(Number)
  const differing = minimum.findIndex((part, index) => actual[index] !== part)
  if (differing < 0) return true
  return differing >= binary.sameParts && (actual[differing] ?? -1) > (minimum[differing] ?? 0)
}
