/** Formats 1234567 cents as `12,345.67`. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}

/** Formats a difference with its sign: `+12.00`, `-3.50`. */
export const signed = (cents: number): string => `${cents > 0 ? '+' : ''}${dollars(cents)}`
