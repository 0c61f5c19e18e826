import { PricingFault } from '#rates/engine/answer.ts'
import { isDate } from '#rates/engine/dates.ts'
import { FIELDS, optionLabel, type Field } from './fields.ts'
import type { Chosen } from './request.ts'
import { lowerFirst, roughly } from './words.ts'

/** The value that a whole price of a choice begins with; other fields may be empty. */
const PRICE = 'value'

/**
 * Why a choice cannot be priced as it is written, or undefined: an address may say anything, and a value that is left out
 * would be priced without a word. `names` are the jurisdictions by pricing code; the field `free` may be empty.
 */
export function unreadable(
  chosen: Chosen,
  names: Readonly<Record<string, string>>,
  free?: string,
): PricingFault | undefined {
  for (const field of FIELDS) {
    const text = chosen[field.name] ?? ''
    // A curve over a field has a price without a value of it; a value that nobody can read would be marked somewhere.
    if (field.name === free && text === '') continue
    if (isTooLarge(field, text)) {
      const most = field.type === 'money' ? roughly(MOST_DOLLARS * 100) : mostOf(field).toLocaleString('en-AU')
      return new PricingFault(
        'bad_request',
        field.path,
        `${field.label} “${text}” is too large: enter at most ${most}.`,
      )
    }
    const expected = text === '' ? expectedIfEmpty(field) : expectedOf(field, text, names)
    if (expected === undefined) continue
    const what = text === '' ? `The ${lowerFirst(field.label)} is missing` : `${field.label} “${text}” cannot be read`
    return new PricingFault('bad_request', field.path, `${what}: ${expected}.`)
  }
  return undefined
}

/** More than any vehicle costs; far below the amounts that the engine no longer counts to the cent. */
const MOST_DOLLARS = 100_000_000

const mostOf = ({ most = 1_000_000 }: Field) => most

const isTooLarge = (field: Field, text: string) =>
  (field.type === 'money' && Number(text) > MOST_DOLLARS) || (field.type === 'number' && Number(text) > mostOf(field))

const DOLLARS = 'enter dollars as digits, such as 45000 or 45000.50'

const expectedIfEmpty = ({ name }: Field) => (name === PRICE ? DOLLARS : undefined)

/** What the field takes, where it does not take the text. */
function expectedOf(field: Field, text: string, names: Readonly<Record<string, string>>): string | undefined {
  const { name, type } = field
  if (type === 'date') return isDate(text) ? undefined : 'enter a day of the calendar, such as 2026-07-01'
  if (type === 'choice' || type === 'boolean') {
    const offered = name === 'pricingCode' ? Object.keys(names) : (field.choices ?? ['true', 'false'])
    if (offered.includes(text)) return undefined
    return `choose one of ${offered.map((each) => optionLabel(each, names)).join(', ')}`
  }
  return type === 'money' && !isAmount(text) ? DOLLARS : expectedDigits(field, text)
}

const FOUR = 'enter the four digits of a postcode, such as 3000'
const WHOLE = 'enter a whole number as digits, such as 12, not below 0'
const NUMBER = 'enter a number as digits, such as 1600, not below 0'

function expectedDigits({ type, isWhole }: Field, text: string): string | undefined {
  if (type === 'text') return /^[0-9]{4}$/.test(text) ? undefined : FOUR
  if (isWhole) return /^\d+$/.test(text) ? undefined : WHOLE
  return isNumber(text) ? undefined : NUMBER
}

/** Digits with a decimal point at most: a number of a program, such as 1e3 or 0x10, is not what a person means. */
const isNumber = (text: string) => /^\d+(\.\d+)?$|^\.\d+$/.test(text)

/** The same with whole cents: a part of one would be rounded without a word. */
const isAmount = (text: string) => isNumber(text) && /^\d*(\.\d{1,2}0*)?$/.test(text)
