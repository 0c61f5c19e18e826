import { OF_DEALER, WORD } from './dealer-hosts.ts'

const NETWORK =
  '(?:instagram|insta|ig|facebook|fb|f/b|snapchat|tiktok|twitter|telegram|whatsapp|wechat|weixin|微信|skype|messenger|youtube|discord)'
const WORD_FOR_NAME = '\\s(?:id|name|account|handle)'
const NAMED = `(?:${WORD_FOR_NAME})?\\s?:\\s?`
/** Words that follow an account in a sentence, unlike those of a description such as `IG: Icon Grey metallic`; `joes pack` may hide one. */
const GOES_ON =
  '(?:any|anytime|today|now|daily|for|to|or|at|us|we|our|follow|dm|add|send|message|msg|call|text|see|check|visit|page|account|here|please|pls|more|packs?|(?:great|best|good|top|hot|cheap|amazing)\\s(?:deals|offers|prices|bargains|range|service))\\b'
/** A word that another follows in its line: `front bar` behind `fb:`, which is also the code of a part. The name of a dealer is none. */
const DESCRIPTION = `(?![a-z]{1,30}${OF_DEALER}\\b)[a-z]{2,30}[^\\S\\n\\r]{1,2}(?!${GOES_ON})[a-z]{2,30}(?![\\w@])`
/** What stands between a network that is also a code or a function of the car, and its account. */
const NAMED_CLEARLY = `(?:${WORD_FOR_NAME}\\s?:\\s?|\\s?:\\s?(?!${DESCRIPTION}))`
/** Matches `IG: Sport pack`, where the letters are the code of an option. */
const OF_OPTION =
  '(?:sports?|luxury|premium|style|tech|technology|comfort|safety|convenience|touring|winter|black|leather|elite|performance|design|vision|towing)' +
  '\\s(?:packs?|packages?|edition|line|trim|seats?|interior|kit|series|grade)\\b'
/** Matches `Instagram: see our page` and `TikTok: yes`, of which the latter is said of a display. */
const NO_ACCOUNT =
  '(?:yes|no|not|none|and|our|see|the|via|use|with|available|included|supported|compatible|integrat\\w{0,5}|apps?|messag\\w{0,4}|ready|now|' +
  'coming|optional|standard|works|for|only|link|check|page|search|visit|posts?|videos?|support|built)\\b'
/** Matches `front_seats` and `idle_speed`, as exports write the names of parts and measures. */
const OF_CAR =
  '(?:front|rear|driver|passenger|left|right|idle|engine|max|min|peak|road)_(?:seats?|doors?|windows?|wheels?|tyres?|bumper|bar|lights?|lamps?|speed|revs|rpm|power|torque)(?!\\.?\\w)'
/** The name of a dealer in one word, as accounts have it: `joescars`, `joes.autos`. */
const DEALER = `(?!${WORD}(?!\\w))[a-z][a-z\\d._]{1,28}${OF_DEALER}(?![\\w-])`
/** Matches `@cost` and `@home`, as the value of a field. */
const NO_NAME =
  '(?:cost|home|work|factory|idle|auction|market|poa|ask|request|dealer|invoice|retail|full|peak|max|speed|toyota|ford|kia|mazda|hyundai|nissan|holden|honda)'
/** Matches `insta @joes`, `@joes on insta`, `IG: joesautos`, `WeChat ID: joes123`, `insta joesautos`, `@joesautos`, `message us @joes` and, alone, `@joes`. */
const ACCOUNT = new RegExp(
  [
    `\\b${NETWORK}\\b[\\s:-]{0,3}@[\\w.]{2,30}`,
    `(?<![\\w.])@[a-z][\\w.]{1,30}\\s{1,3}(?:on|at|via)\\s{1,3}${NETWORK}\\b`,
    `\\b(?:insta${NAMED}|(?:ig|wechat|skype)${NAMED_CLEARLY})(?!${OF_OPTION})[a-z][\\w.]{2,30}`,
    `\\b(?:(?:instagram|tiktok|twitter|telegram|facebook)${NAMED}|snapchat${NAMED_CLEARLY})(?!${NO_ACCOUNT})[a-z][\\w.]{2,30}`,
    `\\b(?:${NETWORK}(?:\\s?[:/]\\s?|\\s-\\s|\\s)|snap\\s?[:/]\\s?)${DEALER}`,
    `(?<!\\w)(?:微信|weixin)(?:号|${WORD_FOR_NAME})?\\s?[:：]?\\s?(?!${NO_ACCOUNT})[a-z][\\w.-]{3,30}`,
    `\\b(?:wechat\\s|(?-i:vx)\\s?:\\s?)(?!pay)[a-z]{3,20}\\d{2,10}(?!\\w)`,
    `\\bdiscord\\s?:?\\s?[a-z][\\w.]{1,30}#\\d{4}(?!\\d)`,
    `^\\s{0,9}@(?!(?:${NO_NAME}|${WORD})(?!\\w)|${OF_CAR})[a-z][\\w.]{2,30}\\s{0,9}$`,
    `(?<![\\w.@])@(?:${DEALER}|(?!${OF_CAR})[a-z]{2,20}_[a-z\\d_]{2,20}(?!\\w))`,
    `\\b(?:follow|dm|tag|message|msg)(?:\\s(?:us|me))?\\s?:?\\s?@[a-z][\\w.]{2,30}`,
  ].join('|'),
  'i',
)
/** In small letters, because `Holden FB: restored` is a model of 1960. */
const FACEBOOK = new RegExp(
  `(?<!\\b(?:[Hh]olden|HOLDEN|\\d{4}) )\\bfb\\s?:\\s?(?!(?i:${DESCRIPTION}))[a-z][a-z\\d_.]{4,30}`,
)

/** The first account of a network in a plain text; undefined when there is none. */
export const findAccount = (text: string): string | undefined => (ACCOUNT.exec(text) ?? FACEBOOK.exec(text))?.[0]
