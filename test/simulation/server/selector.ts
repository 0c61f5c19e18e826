import type { Collection } from '#runtime/kube/resource-path.ts'
import type { StoredObject } from './object.ts'

export type Selects = (object: StoredObject) => boolean

type Test = (values: Readonly<Record<string, string | undefined>>) => boolean

const everything: Selects = () => true

/** Whether an object is in a list or a watch of these selectors. */
export function selectorOf({ labelSelector, fieldSelector }: Omit<Collection, 'path'>): Selects {
  if (!labelSelector && !fieldSelector) return everything
  const labels = testsOf(labelSelector)
  const fields = testsOf(fieldSelector)
  return ({ metadata, type }) => {
    const { name, namespace } = metadata
    const values = { 'metadata.name': name, 'metadata.namespace': namespace, type: type as string | undefined }
    return labels.every((test) => test(metadata.labels ?? {})) && fields.every((test) => test(values))
  }
}

function testsOf(selector: string | undefined): Test[] {
  // Commas stand between requirements, and between the values of one.
  return (selector?.match(/[^,()]+(\([^)]*\))?/g) ?? []).map(testOf)
}

function testOf(requirement: string): Test {
  const within = /^\s*(\S+)\s+in\s+\(([^)]*)\)\s*$/.exec(requirement)
  if (within) {
    const [, key = '', values = ''] = within
    const allowed = values.split(',').map((value) => value.trim())
    return (given) => given[key] !== undefined && allowed.includes(given[key])
  }
  const [key = '', value] = requirement.split(/==?/).map((part) => part.trim())
  return value === undefined ? (given) => given[key] !== undefined : (given) => given[key] === value
}
