/** Names and phrases with a word that is abuse elsewhere, of which no list can have every form. */

/** Matches the fuel cock and the drain cocks, which are taps. */
const TAPS =
  /(?<!\p{L})(?:air|ball|bleed|drain|fuel|gas|oil|petrol|radiator|stop|tank|tap|water)[\s-]cocks?(?![\p{L}\p{N}-]|\ssuck)/giu

/** Matches `Fu`, a family, and the `FU` of `paint code FU`; not `Fu you`. */
const FU =
  /(?<![\p{L}\p{N}])(?:Fu(?![\p{L}\p{N}]|-\p{L}|\s(?:you|u|off|it|all|this|that|them|him|her)(?!\p{L}))|(?<=(?:code|colou?r|paint|trim|option|plate)s?:?\s)FU(?![\p{L}\p{N}]))/gu

/** Matches the colour that is black in Spanish: `Negro leather`, `colour: Negro`, and a text that has nothing else. */
const COLOUR =
  /^\s{0,9}(?:Negro|NEGRO)\s{0,9}$|(?<!\p{L})N(?:egro|EGRO)(?=\s(?:leather|interior|trim|metallic|pearl|paint|cloth|alcantara|suede|seats?|roof|wheels?)(?!\p{L}))|(?<=(?:colou?r|interior|trim|paint|leather|exterior|upholstery|finished in)[\s:]{1,3})N(?:egro|EGRO)(?!\p{L})/gu

const FAMILIES = '(?:Cocks?|Coon|Dicks?|Dykes?|Fuk|Hookers?)'
const FIRST_NAMES =
  `(?:Adam|Alan|Alex|Andrew|Ann|Anna|Anne|Anthony|Barry|Ben|Bill|Bob|Brett|Brian|Bruce|Chris|Christine|Colin|Craig|
Daniel|Dave|David|Dean|Debbie|Emma|Frank|Gary|Geoff|George|Glenn|Graham|Greg|Helen|Ian|Jack|James|Jane|Jason|Jeff|Jenny|Jim|Joe|
John|Josh|Julie|Karen|Kate|Keith|Ken|Kevin|Kim|Lee|Lisa|Luke|Margaret|Mark|Martin|Mary|Matt|Matthew|Michael|Michelle|Mick|Mike|Nathan|Neil|
Nick|Nicole|Paul|Peter|Phil|Rebecca|Richard|Rob|Robert|Rod|Ross|Ryan|Sam|Sarah|Scott|Shane|Simon|Stephen|Steve|Stuart|Sue|Susan|Terry|Tim|
Tom|Tony|Trevor|Warren|Wayne|William)`.replaceAll('\n', '')
const FOLLOWING =
  '(?:Auto|Automotive|Autos|Bay|Brothers|Bros|Cars|Creek|Crescent|Ford|Group|Hill|Holden|Holdings|Lam|Lane|Motor|Motors|Point|Rapids|River|Road|Rd|Street|St|Sons|Toyota|Trailers|Trucks|Tyres)'
/** Matches the family in `Mr Hooker`, `Mark Cocks`, `Hooker Brothers` and `Dicks Creek`, each with its capital. */
const FAMILY = new RegExp(
  [
    `(?<=(?<!\\p{L})(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\\.?|${FIRST_NAMES})\\s)${FAMILIES}(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}])${FAMILIES}(?:['’]s)?(?=\\s(?:&\\s|and\\s)?${FOLLOWING}(?!\\p{L}))`,
    // Matches a first name of Russia, and one of India, before a family of there.
    '(?<!\\p{L})Semen(?=\\s\\p{Lu}\\p{Ll}{1,20}(?:ov|ev|in|sky|skiy|enko|uk)(?!\\p{L}))',
    '(?<!\\p{L})Anal(?=\\s(?:Shah|Patel|Kumar|Singh|Desai|Mehta|Gupta|Sharma|Joshi|Jain|Das|Roy|Ghosh|Banerjee|Mukherjee)(?!\\p{L}))',
  ].join('|'),
  'gu',
)

/** Matches `Dick’s Automotive` and `Dick Smith`: a first name followed by a capitalised word. */
const FIRST_NAME = /(?<![\p{L}\p{N}])Dick(?:['’]s)?(?=\s(?:&\s)?\p{Lu}\p{Ll})/gu

const SHIFTS = '(?:runs|works|drives|shifts|changes)'
const IS = "(?:['’]s|\\s(?:is|was|feels))(?:\\s(?:shifting|running|working))?"
const VERY = '(?:(?:very|really|super|so|still|nice(?:\\sand|\\s&)?)\\s)?'
const SMOOTH = '(?:smooth|seamless|flawless)(?:ly)?(?![\\p{L}\\p{N}-]|\\s(?:talk|operator|skin|legs?))'
/**
 * Matches the gearbox in `Tranny is smooth` and `the tranny works well`, of which no list has every phrase. `A tranny` is a
 * person, and so may be a tranny that is only good.
 */
const GEARBOX = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?<!(?<![\\p{L}\\p{N}])an?\\s)tranny(?=(?:${IS}|\\s${SHIFTS})\\s${VERY}${SMOOTH}`,
    `|\\s${SHIFTS}\\s(?:well|great|fine|perfect(?:ly)?|nicely)(?!\\p{L})`,
    `|\\sis\\sin\\s(?:good|great|excellent|perfect)\\s(?:condition|order|nick)(?!\\p{L}))`,
  ].join(''),
  'giu',
)

const ALL = [TAPS, FU, COLOUR, FAMILY, FIRST_NAME, GEARBOX]

/** A text with dots in place of such names and phrases, as long as before. */
export const withoutNames = (text: string): string =>
  ALL.reduce((rest, names) => rest.replace(names, (name) => '.'.repeat(name.length)), text)
