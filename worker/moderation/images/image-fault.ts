/** Why a picture is refused; `code` is stable. */
export type ImageFaultCode =
  | 'INVALID_SOURCE'
  | 'FORBIDDEN_ADDRESS'
  | 'SOURCE_UNAVAILABLE'
  | 'TOO_MANY_REDIRECTS'
  | 'TOO_LARGE'
  | 'TOO_SMALL'
  | 'NOT_AN_IMAGE'
  | 'DAMAGED'
  | 'UNDECODABLE'
  | 'ANIMATED'
  | 'INDECENT'

/** A fault of a picture or of its source; the message is for the uploader. */
export class ImageFault extends Error {
  override name = 'ImageFault'
  readonly code: ImageFaultCode
  /** Whether another attempt may succeed. */
  readonly mayPass: boolean

  constructor(code: ImageFaultCode, message: string, { mayPass = false }: { mayPass?: boolean } = {}) {
    super(message)
    this.code = code
    this.mayPass = mayPass
  }
}

/** The source did not answer properly, and may at the next attempt. */
export const unavailable = (message: string, mayPass = true): ImageFault =>
  new ImageFault('SOURCE_UNAVAILABLE', message, { mayPass })
