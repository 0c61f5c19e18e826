/** A typical mistake in a rate set: replacements in the text of a file, and what makes it visible. */
export interface Mistake {
  what: string
  file: string
  edits: [from: string, to: string][]
  shownBy: 'lint' | 'test' | 'diff'
  /** Part of what is shown. */
  message: string
}

type Seen = [shownBy: Mistake['shownBy'], message: string]

const VIC = 'au-vic/fy27.yaml'
const ACT = 'au-act/fy26.yaml'

const vic = (what: string, from: string, to: string, ...[shownBy, message]: Seen): Mistake => {
  return { what, file: VIC, edits: [[from, to]], shownBy, message }
}

const act = (what: string, edits: Mistake['edits'], ...[shownBy, message]: Seen): Mistake => {
  return { what, file: ACT, edits, shownBy, message }
}

/** In the order in which a file is read. */
export const mistakes: Mistake[] = [
  vic(
    'The name of last year on a copied file',
    'name: au-vic-fy27',
    'name: au-vic-fy26',
    'lint',
    'expected au-vic-fy27',
  ),
  vic('A wrong year', 'financialYear: "2026-2027"', 'financialYear: "2026-2028"', 'lint', '2026-2028'),
  vic('Last year in a copied file', 'financialYear: "2026-2027"', 'financialYear: "2025-2026"', 'lint', 'au-vic-fy26'),
  vic('A tab in place of spaces', '\n  zones:', '\n\tzones:', 'lint', 'a tab; expected spaces'),
  vic('An invisible space', 'Value of a fee unit', 'Value of a\u00a0fee unit', 'lint', 'U+00A0'),
  vic(
    'A repeated key',
    '      basis: DUTIABLE_VALUE\n',
    '      basis: DUTIABLE_VALUE\n      basis: PAID\n',
    'lint',
    'is repeated',
  ),
  vic('A misspelt key', 'upTo: "150000"', 'upto: "150000"', 'lint', 'did you mean upTo?'),
  vic('A figure without quotes', 'upTo: "150000"', 'upTo: 150000', 'lint', 'quote it: "150000"'),
  vic('A comma in a figure', 'upTo: "150000"', 'upTo: "150,000"', 'lint', '"150,000" is not an amount'),
  vic('The letter O in a figure', 'upTo: "150000"', 'upTo: "15OOOO"', 'lint', '15OOOO'),
  vic('A figure that lost a digit', 'upTo: "150000"', 'upTo: "15000"', 'lint', 'band edge 15000 is not above 100000'),
  vic('Swapped digits in a band edge', 'upTo: "150000"', 'upTo: "105000"', 'lint', 'STAMP_DUTY is'),
  vic(
    'A percentage for an amount',
    'charge: { flat: "44.20" }',
    'charge: { whole: { percent: "44.20" } }',
    'lint',
    'basis',
  ),
  vic(
    'A percentage for a rate of dollars',
    '{ rate: "5.40", per: "200" }',
    '{ percent: "5.40" }',
    'lint',
    'STAMP_DUTY is',
  ),
  vic('The figure of last year', 'value: "17.27"', 'value: "16.81"', 'lint', 'REGISTRATION is 343.30, expected 352.70'),
  vic('A wrong source name', 'sources: [sro-rates,', 'sources: [sro-rate,', 'lint', 'sro-rate'),
  vic(
    'A class that does not exist',
    'class: [goodsOver2t] }\n          unpriced: "Reg',
    'class: [goodsOver3t] }\n          unpriced: "Reg',
    'lint',
    'goodsOver3t',
  ),
  vic('A parameter that does not exist', 'flat: 20.42 FEE_UNIT', 'flat: 20.42 FEE_UNITS', 'lint', 'FEE_UNITS'),
  vic(
    'A rule without an official page',
    'sources: [vicroads-plates-2026, vicroads-plates]',
    'sources: [vicroads-plates-2026]',
    'lint',
    'no official source',
  ),
  vic(
    'A day that the calendar does not have',
    'verifiedOn: "2026-11-21"\n        reviewBy: "2027-06-01"\n        sources: [vicroads-plates-2026',
    'verifiedOn: "2026-11-31"\n        reviewBy: "2027-06-01"\n        sources: [vicroads-plates-2026',
    'lint',
    'is not a day of the calendar',
  ),
  vic('A postcode in two zones', '"3101-3111"', '"3101-3113"', 'test', 'CTP: expected 495.00, got 551.00'),
  vic(
    'A case that is never reached',
    '        - when: { bodyType: [motorcycle] }\n          unpriced: "The plate',
    '        - charge: { flat: "44.20" }\n        - when: { bodyType: [motorcycle] }\n          unpriced: "The plate',
    'lint',
    'when',
  ),
  vic(
    'An estimate that does not say so',
    '          evidence: estimate\n          upperBound: true\n          warning: "The transfer fee',
    '          evidence: estimate\n          upperBound: true\n          # "The transfer fee',
    'lint',
    'warning',
  ),
  vic(
    'A fact that may be missing without an entry in missing',
    '    - { zone: TAC, assume: METRO',
    '    # - { zone: TAC, assume: METRO',
    'lint',
    'TAC',
  ),
  vic(
    'A forgotten rounding',
    '20.42 FEE_UNIT, round: { to: "0.10" }',
    '20.42 FEE_UNIT',
    'lint',
    'REGISTRATION is 352.65, expected 352.70',
  ),
  vic('A postcode missing from its zone', '"3158-3160"', '"3158-3159"', 'test', 'CTP: expected 495.00, got 429.00'),
  vic('A wrong share of GST', 'gst: 1/11\n', 'gst: 10/121\n', 'test', 'gst:CTP: expected 50.09, got 45.54'),
  vic(
    'A grade that is better than the evidence',
    '"17.27", evidence: secondary',
    '"17.27", evidence: official',
    'diff',
    'evidence: secondary → official',
  ),
  act('A missing day', [['endDate: "2025-08-31"', 'endDate: "2025-08-30"']], 'lint', '2025-08-31'),
  act('Two rules on one day', [['endDate: "2025-08-31"', 'endDate: "2025-09-01"']], 'lint', 'priority'),
  act(
    'A change in mid-year on a wrong day',
    [
      ['endDate: "2025-08-31"', 'endDate: "2025-09-30"'],
      ['startDate: "2025-09-01"', 'startDate: "2025-10-01"'],
    ],
    'lint',
    'STAMP_DUTY',
  ),
]
