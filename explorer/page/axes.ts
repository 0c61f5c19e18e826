import type { Snapshot } from '#rates/engine/snapshot.ts'
import { cents, type Chosen } from './request.ts'
import { day, money, roughly, shortDay } from './words.ts'

/** The horizontal axis of a curve: the price, or a fact at each of its whole values. */
export interface Axis {
  /** The field of the form; `value` is the price, in cents. */
  readonly name: string
  readonly label: string
  readonly values: (chosen: Chosen, snapshot: Snapshot) => readonly number[]
  /** Formats a value as people write it. */
  readonly format: (value: number) => string
  /** Formats a value for a tick of the axis. */
  readonly tick: (value: number) => string
  /** The values that have a tick, of those drawn; without it, round numbers. */
  readonly ticks?: (values: readonly number[]) => readonly number[]
  /** Converts a value to the text of the form's field. */
  readonly text: (value: number) => string
  readonly valueOf: (text: string) => number
  /** The name of one step along the axis. */
  readonly step: string
}

const DAY_MS = 86_400_000

/** An axis of whole values, both ends inclusive. */
const whole = (axis: Pick<Axis, 'name' | 'label'>, unit: string, from: number, to: number): Axis => ({
  ...axis,
  text: String,
  valueOf: Number,
  step: unit === 'months' ? 'one month' : `1 ${unit}`,
  tick: (value) => value.toLocaleString('en-AU'),
  values: () => Array.from({ length: to - from + 1 }, (_, index) => from + index),
  format: (value) => (value === 1 && unit === 'months' ? 'one month' : `${value.toLocaleString('en-AU')} ${unit}`),
})

const dayOf = (value: number) => new Date(value * DAY_MS).toISOString().slice(0, 10)

/** The axes in the order in which the page offers them; the first is the default. */
export const AXES: readonly Axis[] = [
  {
    name: 'value',
    label: 'Price before on-road costs',
    format: money,
    tick: roughly,
    step: 'one cent',
    values: () => [],
    text: (value) => String(value / 100),
    valueOf: cents,
  },
  whole({ name: 'tareKg', label: 'Tare' }, 'kg', 500, 4500),
  whole({ name: 'kerbMassKg', label: 'Kerb mass' }, 'kg', 500, 4500),
  whole({ name: 'gvmKg', label: 'Gross vehicle mass' }, 'kg', 500, 6000),
  whole({ name: 'co2GPerKm', label: 'CO2 emissions' }, 'g/km', 0, 400),
  whole({ name: 'termMonths', label: 'Term' }, 'months', 1, 12),
  {
    name: 'startDate',
    label: 'Day of registration',
    text: dayOf,
    step: 'one day',
    values: ({ pricingCode = '' }, { jurisdictions }) => {
      const { start = '1970-01-01', end = start } = jurisdictions[pricingCode]?.range ?? {}
      const [first, last] = [start, end].map((iso) => Date.parse(iso) / DAY_MS) as [number, number]
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    },
    valueOf: (text) => Date.parse(text) / DAY_MS,
    format: (value) => day(dayOf(value)),
    tick: (value) => shortDay(dayOf(value)),
    // Financial years begin on 1 July.
    ticks: (values) => values.filter((value) => dayOf(value).endsWith('-07-01')),
  },
]

export const axisOf = ({ over }: Chosen): Axis => AXES.find(({ name }) => name === over) ?? AXES[0]!
