import { isIPv6 } from 'node:net'
import type { V1EndpointSlice } from '@kubernetes/client-node'

const HEALTH_PORT_NAME = 'health'

/**
 * Health addresses of the API processes that endpoint slices name, each once, in order. A process that is not ready gets
 * no requests, and one that is ending is on its way out: neither is waited for.
 */
export function healthUrlsOf(slices: Iterable<V1EndpointSlice>): string[] {
  return urlsOf(slices, ({ ready }) => ready !== false)
}

/** The same of processes that are not ready yet: perhaps because they do not read what is published. */
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

/** The selector of the endpoint slices of these Services. */
export const slicesOf = (services: readonly string[]): string => `kubernetes.io/service-name in (${services.join(',')})`
