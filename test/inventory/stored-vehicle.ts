import { written, type VehicleOrder, type VehicleRecord } from '../../inventory/vehicles.ts'

/** A vehicle of the client `uploader` as a worker stores it. */
export function storedVehicle(sourceId: string, order: Partial<VehicleOrder>, text?: string): VehicleRecord {
  return {
    client_id: 'uploader',
    source_id: sourceId,
    source_name: 'test',
    job_id: 'job',
    order: { sequence: 1, index: 0, run: 1, ...order },
    stored_at: '2026-08-01T00:00:00.000Z',
    item: { vehicle: { source_id: sourceId, ...(text !== undefined && { text }) } },
  }
}

/** The record as the worker gives it to the store. */
export const asWritten = ({ item, ...fields }: VehicleRecord) => written(fields, JSON.stringify(item))
