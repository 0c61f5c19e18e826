/**
 * The name of a field in small letters with `_` between its words: `heroImage`, `Hero Image` and `hero-image` are `hero_image`, and
 * `ABNNumber` is `abn_number`. An `imageURLs` keeps its plural: `image_urls`.
 */
export const snakeCased = (name: string): string =>
  name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|[-\s.]/g, '_').toLowerCase()
