import type { KubernetesObject } from '@kubernetes/client-node'
import type { Kube } from '#runtime/kube/kube.ts'
import type { StreamOptions, WatchEvent } from '#runtime/kube/watch-stream.ts'
import type { ModelServer } from './model-server.ts'

/** A `Kube` that the model server answers at once, and whose streams tell each change as it comes. */
export function modelKube(server: ModelServer): Kube {
  return {
    get: async (reference) => server.get(reference),
    create: async (object, options) => server.create(object, options),
    replace: async (object, options) => server.replace(object, options),
    apply: async (object, options) => server.apply(object, options),
    patchMetadata: async (reference, metadata, options) => server.patchMetadata(reference, metadata, options),
    replaceStatus: async (object) => server.replaceStatus(object),
    delete: async (reference, preconditions) => server.delete(reference, preconditions),
    page: async (options) => server.page(options),
    watch: <T extends KubernetesObject>(options: StreamOptions) => events<T>(server, options),
  }
}

async function* events<T>(server: ModelServer, options: StreamOptions): AsyncGenerator<WatchEvent<T>> {
  options.onOpen()
  const stream = server.watch(options, options.resourceVersion)
  try {
    while (!options.signal.aborted) {
      const event = stream.take()
      if (event) yield event as WatchEvent<T>
      else await nextEvent(stream, options.signal)
    }
  } finally {
    stream.close()
  }
  options.signal.throwIfAborted()
}

function nextEvent(stream: { onEvent: () => void }, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    stream.onEvent = resolve
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
