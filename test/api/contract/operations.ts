import type { Registry } from 'prom-client'

/** The operations that a server answered well, as it counted them itself. */
export async function answeredOperations(registry: Registry): Promise<string[]> {
  const { values } = await registry.getSingleMetric('driveaway_requests_total')!.get()
  const well = values.filter(({ labels }) => String(labels['status']).startsWith('2'))
  return [...new Set(well.map(({ labels }) => String(labels['operation'])))].sort()
}

/** The operations of the document that is served at an address. */
export async function describedOperations(documentUrl: string): Promise<string[]> {
  const { paths } = (await (await fetch(documentUrl)).json()) as Described
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    .sort()
}

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>
}
