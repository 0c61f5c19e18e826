/** How the names that dealers give themselves end, behind a name of their own: `joescars`, `northside-motors`. */
export const OF_DEALER =
  '(?:cars|autos?|motors?|motoring|dealers?|dealership|automotive|prestige|wholesale|4x4|4wd|utes)'
/** Words that are such an end, or have one: `cars`, `supercars`, `semi-auto`. */
export const WORD = `(?:(?:super|side|sports?|mini|kit|classic|muscle|race|rental|hire|fleet|stock|new|used|electric|semi|full)-?|os)?${OF_DEALER}`

/**
 * Top-level domains that are also the first word of a sentence, so that `great car.me and` would be an address: only the
 * name of a dealer makes one.
 */
const END = '\\.(?:me|cars?|link|autos?|deals)'
/** The same, which count behind the name of a dealer alone: `joescars.live`. */
const OTHER_END = '\\.(?:live|club|pro|tv|perth|group|global|vip|cc)'
const MAY_HAVE_ONE = new RegExp(`(?:${END}|${OTHER_END})(?![\\w-])`, 'i')
const HOST = new RegExp(
  `(?<![\\w'’.@-])(?:[a-z\\d-]{1,40}\\.)?(?!${WORD}\\.)[a-z\\d][a-z\\d-]{1,40}(?<=${OF_DEALER})(?:${END}|${OTHER_END})(?![\\w-])`,
  'gi',
)
/** Words behind which people say an address. */
const CUE = '\\b(?:visit|web\\s?(?:site|page)|url)\\s?:?\\s'
/** Words behind which they may go on with a sentence, so that only `.me` and `.deals` count: `see attached.link`. */
const WEAK_CUE =
  '\\b(?:see|site|page|browse|via|check\\sout|(?:go|head)\\sto|(?:us|more|details|online|shop)\\s(?:at|on))\\s?:?\\s'
/** Words behind a cue that end a sentence: `see photos.me and` lacks a space. */
const NO_NAME =
  '(?:us|me|it|them|him|her|you|more|all|this|that|these|here|there|now|today|home|work|below|above|inside|photos?|pics?|pictures?|images?|video|advert|ad|description|details?|price|website|page|site|store|offer)'
/** What follows where a name is none: the rest of that sentence. */
const GOES_ON = '\\s{1,2}(?:and|or|but|my|we|i|you|too|so|is|are|have|with)\\b'
/** Matches `great.deals` and `photos.deals on`, where the word belongs to a sentence. */
const DEALS =
  '(?:our|my|your|great|best|better|good|hot|top|cheap|amazing|super|special|big|huge|crazy|new|latest|weekly|daily|current|other|car|ute|finance|trade)\\.deals\\b'
const DEALS_GO_ON = '(?<=\\.deals)\\s{1,2}(?:on|like|start|from|available|for|of|that|to|at|in|all)\\b'
const AT_ME = '[a-z\\d-]{2,41}\\.(?:me|deals)'
/** Matches `visit joes.link`, `see joes.me` and, alone in its line, `joes.me`: said like this, the name need not be that of a dealer. */
const SAID = new RegExp(
  `(?:${CUE}|${WEAK_CUE}(?=${AT_ME}(?![\\w-]))|^(?=${AT_ME}$))(?!(?:${NO_NAME}|${WORD})\\.|${DEALS})([a-z\\d][a-z\\d-]{1,40}${END})(?![\\w-]|${GOES_ON}|${DEALS_GO_ON})`,
  'gim',
)
/** Matches `joes.me/stock`: no sentence goes on with a stroke. */
const WITH_PATH = new RegExp(`(?<![\\w'’.@-])(?!(?:${NO_NAME}|${WORD}|car|ute|van)\\.|${DEALS})${AT_ME}/\\w`, 'gi')
/** Matches `Joescars.Me and`: a word that ends a sentence, and the next. */
const SENTENCE_END = /\.[A-Z][a-z]+$/

/** The first address of a dealer at such a domain, in a plain text; undefined when there is none. */
export function findDealerHost(text: string): string | undefined {
  if (!MAY_HAVE_ONE.test(text)) return undefined
  const said = Array.from(text.matchAll(SAID), ([, host = '']) => host)
  return [...(text.match(HOST) ?? []), ...said, ...(text.match(WITH_PATH) ?? [])].find(
    (host) => !SENTENCE_END.test(host),
  )
}
