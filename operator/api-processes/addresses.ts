import { isIPv6 } from 'node:net'
import type { V1EndpointSlice } from '@kubernetes/client-node'

const HEALTH_PORT_NAME = 'health'

/**
 * Health addresses of the API processes in the endpoint slices, each once, in order. Processes that are not ready (they
 * get no requests) or terminating are left out: nobody waits for them.
 */
export function healthUrlsOf(slices: Iterable<V1EndpointSlice>): string[] {
  return urlsOf(slices, ({ ready }) => ready !== false)
}

/** The same for processes that are not ready yet, perhaps because they cannot read the published format. */
export function startingUrlsOf(slices: Iterable<V1EndpointSlice>): string[] {
  return urlsOf(slices, ({ ready }) => ready === false)
}

function urlsOf(slices: Iterable<V1EndpointSlice>, isWanted: (conditions: { ready?: boolean }) => boolean): string[] {
  const urls = [...slices].flatMap(({ endpoints, ports }) => {
    const port = ports?.find(({ name }) => name === HEALTH_PORT_NAME)?.port
    if (port === undefined) return []
    return (endpoints ?? [])
      .filter(({ conditions }) => isWanted(conditions ?? {}) && conditions?.terminating !== true)
      .flatMap(({ addresses }) => addresses.slice(0, 1))
      .map((address) => `http://${isIPv6(address) ? `[${address}]` : address}:${port}`)
  })
  return [...new Set(urls)].sort()
}

/** The selector of the endpoint slices that belong to these Services. */
export const slicesOf = (services: readonly string[]): string => `kubernetes.io/service-name in (${services.join(',')})`
