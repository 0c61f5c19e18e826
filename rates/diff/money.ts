/** Whether a text is an exact decimal. */
export const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/** `80809` as `$80,809`, `-8.4` as `-$8.40`; more than two decimal places are kept. */
export function money(decimal: string): string {
  if (!isNumber(decimal)) return decimal
  const [whole = '', places] = decimal.replace('-', '').split('.')
  const sign = decimal.startsWith('-') ? '-' : ''
  return `${sign}$${grouped(whole)}${places === undefined ? '' : `.${places.padEnd(2, '0')}`}`
}

/** Whole cents as dollars: 105300 as `$1,053.00`. */
export const dollars = (cents: number): string => money((cents / 100).toFixed(2))

/** `80809` as `80,809`. */
export const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')
