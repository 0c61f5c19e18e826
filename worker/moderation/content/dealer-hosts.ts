/** How the names that dealers give themselves end, behind a name of their own: `joescars`, `northside-motors`. */
export const OF_DEALER =
  '(?:cars|autos?|motors?|motoring|dealers?|dealership|automotive|prestige|wholesale|4x4|4wd|utes)'
/** Words that are such an end, or have one: `cars`, `supercars`, `semi-auto`. */
export const WORD = `(?:(?:super|side|sports?|mini|kit|classic|muscle|race|rental|hire|fleet|stock|new|used|electric|semi|full)-?|os)?${OF_DEALER}`

/**
 * Top-level domains that are also the first word of a sentence, so that `great car.me and` would be an address: only the
 * name of a dealer makes one.
 */
const END = '\\.(?:me|cars?|link|autos?)'
const MAY_HAVE_ONE = new RegExp(`${END}(?![\\w-])`, 'i')
const HOST = new RegExp(
  `(?<![\\w'’.@-])(?:[a-z\\d-]{1,40}\\.)?(?!${WORD}\\.)[a-z\\d][a-z\\d-]{1,40}(?<=${OF_DEALER})${END}(?![\\w-])`,
  'gi',
)
/** Matches `Joescars.Me and`: a word that ends a sentence, and the next. */
const SENTENCE_END = /\.[A-Z][a-z]+$/

/** The first address of a dealer at such a domain, in a plain text; undefined when there is none. */
export function findDealerHost(text: string): string | undefined {
  if (!MAY_HAVE_ONE.test(text)) return undefined
  return text.match(HOST)?.find((host) => !SENTENCE_END.test(host))
}
