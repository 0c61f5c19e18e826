/** The entities by which a text hides a sign, or which exports write for one; those of the first list need no semicolon. */
const LEGACY: Record<string, string> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', shy: '\u00ad' }
const NAMED: Record<string, string> = {
  ...LEGACY,
  ...{
    apos: "'",
    period: '.',
    colon: ':',
    comma: ',',
    sol: '/',
    bsol: '\\',
    commat: '@',
    num: '#',
    plus: '+',
    lowbar: '_',
  },
  ...{
    equals: '=',
    lpar: '(',
    rpar: ')',
    lsqb: '[',
    lbrack: '[',
    rsqb: ']',
    rbrack: ']',
    ast: '*',
    vert: '|',
    bull: '•',
  },
  ...{ Tab: '\t', NewLine: '\n', ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', hairsp: '\u200a', middot: '·' },
  ...{
    zwnj: '\u200c',
    zwj: '\u200d',
    lrm: '\u200e',
    rlm: '\u200f',
    hyphen: '\u2010',
    dash: '\u2010',
    ndash: '–',
    mdash: '—',
  },
}
const SIGNS = new Map(Object.entries(NAMED))
const LAST = 0x10_ff_ff
const REFERENCE = new RegExp(
  `&(?:#0*(\\d{1,7})(?!\\d);?|#x0*([\\da-f]{1,6})(?![\\da-f]);?|(${Object.keys(LEGACY).join('|')});?|([a-z]{2,8});)`,
  'gi',
)
/** As HTML reads the numbers of control characters. */
const WINDOWS = new TextDecoder('windows-1252')
/** A page may decode a text that an export has encoded once more: `&amp;nbsp;`. */
const ROUNDS = 2

/** The text as a page shows it: with the signs that its entities stand for. */
export function withoutEntities(text: string): string {
  let [rest, former] = [text, '']
  for (let round = 0; round < ROUNDS && rest !== former && rest.includes('&'); round++) {
    former = rest
    rest = rest.replace(REFERENCE, signOf)
  }
  return rest
}

function signOf(reference: string, ...[decimal, hex, legacy, named]: (string | undefined)[]): string {
  if (decimal !== undefined || hex !== undefined) return signAt(Number(decimal ?? `0x${hex}`)) ?? reference
  return SIGNS.get(legacy?.toLowerCase() ?? named!) ?? reference
}

function signAt(codePoint: number): string | undefined {
  if (codePoint === 0 || codePoint > LAST) return undefined
  return codePoint >= 0x80 && codePoint < 0xa0
    ? WINDOWS.decode(Uint8Array.of(codePoint))
    : String.fromCodePoint(codePoint)
}
