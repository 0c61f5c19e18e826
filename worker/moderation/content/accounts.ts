import { OF_DEALER, WORD } from './dealer-hosts.ts'

const NETWORK = '(?:instagram|insta|ig|facebook|fb|snapchat|tiktok|twitter|telegram|whatsapp|wechat|skype)'
const NAMED = '(?:\\s(?:id|name|account|handle))?\\s?:\\s?'
/** Matches `IG: Sport pack`, where the letters are the code of an option. */
const OF_OPTION =
  '(?:sports?|luxury|premium|style|tech|technology|comfort|safety|convenience|touring|winter|black|leather|elite|performance|design|vision|towing)' +
  '\\s(?:packs?|packages?|edition|line|trim|seats?|interior|kit|series|grade)\\b'
/** Matches `Instagram: see our page` and `TikTok: yes`, of which the latter is said of a display. */
const NO_ACCOUNT =
  '(?:yes|no|not|none|and|our|see|the|via|use|with|available|included|supported|compatible|integrat\\w{0,5}|apps?|messag\\w{0,4}|ready|now|' +
  'coming|optional|standard|works|for|only|link|check|page|search|visit|posts?|videos?|support|built)\\b'
/** Matches `insta @joes`, `@joes on insta`, `IG: joesautos`, `WeChat ID: joes123`, `TikTok: joesautos`, `@joesautos` and `follow us @joes`. */
const ACCOUNT = new RegExp(
  [
    `\\b${NETWORK}\\b[\\s:-]{0,3}@[\\w.]{2,30}`,
    `(?<![\\w.])@[a-z][\\w.]{1,30}\\s{1,3}(?:on|at|via)\\s{1,3}${NETWORK}\\b`,
    `\\b(?:insta|ig|wechat|skype)${NAMED}(?!${OF_OPTION})[a-z][\\w.]{2,30}`,
    `\\b(?:instagram|tiktok|snapchat|twitter|telegram|facebook)${NAMED}(?!${NO_ACCOUNT})[a-z][\\w.]{2,30}`,
    `(?<![\\w.@])@(?:(?!${WORD}(?!\\w))[a-z][a-z\\d._]{1,28}${OF_DEALER}(?![\\w-])|[a-z]{2,20}_[a-z\\d_]{2,20}(?!\\w))`,
    `\\b(?:follow|dm|tag)(?:\\s(?:us|me))?\\s?:?\\s?@[a-z][\\w.]{2,30}`,
  ].join('|'),
  'i',
)
/** In small letters, because `Holden FB: restored` is a model of 1960. */
const FACEBOOK = /(?<!\b(?:[Hh]olden|HOLDEN|\d{4}) )\bfb\s?:\s?[a-z][a-z\d_.]{4,30}/

/** The first account of a network in a plain text; undefined when there is none. */
export const findAccount = (text: string): string | undefined => (ACCOUNT.exec(text) ?? FACEBOOK.exec(text))?.[0]
