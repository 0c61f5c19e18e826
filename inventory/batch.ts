/*
 * A batch is stored as it was received: an optional field may be absent, null or an empty text, which all mean the same.
 */

/** One picture or other file that belongs to a vehicle; fields beyond these are kept as they were sent. */
export interface Asset {
  /** Every type but `video` and `document` is a picture. */
  type?: string | null
  placement?: string
  order?: number
  src: string
  [further: string]: unknown
}

/** One vehicle, as it was uploaded; fields beyond these are kept as they were sent. */
export interface Item {
  showroom_ids?: readonly string[]
  vehicle: { readonly source_id: string; readonly [further: string]: unknown }
  location?: { readonly source_id?: string; readonly name?: string }
  assets?: readonly Asset[] | null | ''
  [further: string]: unknown
}

/** The payload of one upload, checked against the contract. */
export interface Batch {
  source_name: string
  items: readonly Item[]
  /** Both are on unless switched off. */
  moderate_images?: boolean | null | ''
  moderate_content?: boolean | null | ''
}

/** Whether a stored batch asks for image moderation; false when it is no JSON, for it is then never looked at. */
export function asksForImages(text: string): boolean {
  try {
    return (JSON.parse(text) as Partial<Batch>).moderate_images !== false
  } catch {
    return false
  }
}
