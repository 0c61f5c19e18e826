/** What the model server knows of a kind: where its objects are, and which of the general rules hold for it. */
export interface ModelKind {
  apiVersion: string
  kind: string
  plural: string
  /** Custom resources count generations of their spec, and keep their status apart from it. */
  isCustom?: boolean
  /** Whether a PUT creates an object that is not there. */
  createsOnReplace?: boolean
}

const KINDS: readonly ModelKind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
  { apiVersion: 'v1', kind: 'Secret', plural: 'secrets' },
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', createsOnReplace: true },
  { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events' },
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices' },
  { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', plural: 'ratesets', isCustom: true },
  { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient', plural: 'showroomclients', isCustom: true },
]

const byKind = new Map(KINDS.map((each) => [`${each.apiVersion}/${each.kind}`, each]))

export function kindOf(apiVersion: string, kind: string): ModelKind {
  const found = byKind.get(`${apiVersion}/${kind}`)
  if (!found) throw new Error(`The model server has no kind ${kind} in ${apiVersion}`)
  return found
}

/** The path of a collection below the server, as `Kube.page` and `Kube.watch` name it. */
export function collectionOf({ apiVersion, plural }: ModelKind, namespace: string): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${group}/namespaces/${namespace}/${plural}`
}

/** The kind of a collection's objects. */
export function kindAt(path: string): ModelKind {
  const [, root, ...rest] = path.split('/')
  const apiVersion = root === 'api' ? rest[0] : `${rest[0]}/${rest[1]}`
  const plural = rest.at(-1)
  const found = KINDS.find((each) => each.apiVersion === apiVersion && each.plural === plural)
  if (!found) throw new Error(`The model server has no collection ${path}`)
  return found
}
