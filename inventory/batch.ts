/*
 * A batch is stored as it was received. An optional field may be absent, null or an empty text, which all mean the
 * same.
 */

/** One picture or other file of a vehicle; further fields are stored as they were sent. */
export interface Asset {
  /** Every type except `video` and `document` is a picture. */
  type?: string | null
  placement?: string
  order?: number
  src: string
  [further: string]: unknown
}

/** One uploaded vehicle; further fields are stored as they were sent. */
export interface Item {
  showroom_ids?: readonly string[]
  vehicle: { readonly source_id: string; readonly [further: string]: unknown }
  location?: { readonly source_id?: string; readonly name?: string }
  assets?: readonly Asset[] | null | ''
  [further: string]: unknown
}

/** The content of one upload, validated against the contract. */
export interface Batch {
  source_name: string
  items: readonly Item[]
  /** Both default to true. */
  moderate_images?: boolean | null | ''
  moderate_content?: boolean | null | ''
}

/**
 * Whether a stored batch asks for image moderation; false when the text is not JSON, because it is then never
 * moderated.
 */
export function asksForImages(text: string): boolean {
  try {
    return (JSON.parse(text) as Partial<Batch>).moderate_images !== false
  } catch {
    return false
  }
}
