import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { startWatch } from '#runtime/kube/watch.ts'
import type { Part } from './held.ts'
import type { KubernetesSourceOptions } from './source.ts'
import { createLatest } from './latest.ts'

/** An object that is watched by its name. */
export interface Followed<T> {
  part: Part
  kind: 'ConfigMap' | 'Secret'
  name: string
  /** The text to load from an object; undefined when it holds none. */
  textOf: (object: T) => string | undefined
  /** Loads the text; the signal aborts when a newer one waits and this load has gone on for too long. */
  load: (text: string, signal: AbortSignal) => Promise<void>
}

export interface Following {
  /** When the server last answered for the object; undefined before it did. */
  lastContact(): Date | undefined
  stop(): Promise<void>
}

/**
 * Watches one object by name, so that a Role can grant access by name. When the object is deleted, the loaded version
 * stays.
 */
export function followObject<T extends V1ConfigMap | V1Secret>(
  options: KubernetesSourceOptions,
  { name, part, kind, textOf, load }: Followed<T>,
): Following {
  const { kube, namespace, holder, log, registry, clock, random, silentMs } = options
  const overrides = { ...(clock && { clock }), ...(random && { random }) }
  const latest = createLatest<string | undefined>({
    ...overrides,
    load: async (text, signal) => {
      // The operator makes an index empty before it publishes the first content.
      if (text === undefined)
        throw new Error(`${name} has no content${holder.read()[part] ? '; its last content is still served' : ' yet'}`)
      await load(text, signal)
    },
    // Re-lists through the watch, so that all versions arrive in order: a separate read could be overtaken by an older
    // event.
    reread: () => watch.relist(),
    onFault: (error) => holder.fail(part, error),
  })
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${kind === 'Secret' ? 'secrets' : 'configmaps'}`
  const watch = startWatch<T>({
    ...overrides,
    kube,
    path,
    log,
    fieldSelector: `metadata.name=${name}`,
    ...(registry && { registry }),
    ...(silentMs !== undefined && { silentMs }),
    onChange: (_key, object) => {
      if (!object) return holder.fail(part, new Error(`${name} was deleted; its last content is still served`))
      latest.offer(textOf(object))
    },
  })
  return {
    lastContact: () => watch.lastContact(),
    stop: async () => void (await Promise.all([watch.stop(), latest.stop()])),
  }
}
