import type { ClientBinding } from '#rates/published/format.ts'
import { ApiError } from '../errors.ts'

/** Throws INVALID_SHOWROOM_CODE when the code is missing or blank, SHOWROOM_ACCESS_DENIED when the client is not bound to it. */
export function checkShowroom(showroomCode: string | undefined, client: ClientBinding, path: string): void {
  if (showroomCode === undefined || showroomCode.trim() === '') throw invalid('showroomCode is required.', path)
  if (client.showroomCodes.includes(showroomCode)) return
  const message = `The client is not bound to the showroom ${showroomCode}.`
  const errors = [{ path, message, errorCode: 'SHOWROOM_ACCESS_DENIED' }]
  throw new ApiError('SHOWROOM_ACCESS_DENIED', message, { errors })
}

function invalid(message: string, path: string): ApiError {
  const errors = [{ path, message, errorCode: 'INVALID_SHOWROOM_CODE' }]
  return new ApiError('INVALID_SHOWROOM_CODE', message, { errors })
}
