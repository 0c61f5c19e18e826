/** Side of the square that the classifier receives, in pixels. */
export const SIDE = 224

/** A picture as the classifier receives it: SIDE × SIDE pixels of red, green and blue, one byte each. */
export type Pixels = Uint8Array<ArrayBuffer>
