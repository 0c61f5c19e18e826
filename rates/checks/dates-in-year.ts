import type { Fault } from './fault.ts'
import { adjustmentsOf, rulesOf } from './parts.ts'
import { entries, type At, type Check, type Subject } from './subject.ts'

interface Dated {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** Dates lie within the financial year, and no range ends before it starts. */
export const datesInYear: Check = (subject) => {
  const { spec } = subject
  const ranges: At<Dated>[] = [
    ...rulesOf(spec),
    ...adjustmentsOf(spec),
    ...entries('offers.registrationTypes', spec.offers?.registrationTypes),
    ...entries('parameters', spec.parameters).flatMap(({ path, value }) => entries(`${path}.values`, value.values)),
  ]
  const examples = entries('examples', spec.examples).flatMap(({ path, value }) =>
    outside(`${path}.given.date`, value.given.date, subject),
  )
  // A concession may end after the year, when its law says so: when this year's rates stand in for later ones, it ends
  // that day.
  const concessions = entries('concessions', spec.concessions).flatMap(({ path, value }) => [
    ...outside(`${path}.startDate`, value.startDate, subject),
    ...(value.endDate !== undefined && value.endDate < subject.year.start
      ? outside(`${path}.endDate`, value.endDate, subject)
      : []),
    ...turnedFaults({ path, value }),
  ])
  return [...ranges.flatMap((range) => rangeFaults(range, subject)), ...concessions, ...examples]
}

function rangeFaults({ path, value }: At<Dated>, subject: Subject): Fault[] {
  return [
    ...outside(`${path}.startDate`, value.startDate, subject),
    ...outside(`${path}.endDate`, value.endDate, subject),
    ...turnedFaults({ path, value }),
  ]
}

function turnedFaults({ path, value }: At<Dated>): Fault[] {
  const turned = value.startDate !== undefined && value.endDate !== undefined && value.startDate > value.endDate
  if (!turned) return []
  const message = `${value.endDate} is before the start on ${value.startDate}`
  return [{ check: 'dates-in-year', path: `${path}.endDate`, message }]
}

function outside(path: string, date: string | undefined, { spec, year }: Subject): Fault[] {
  if (date === undefined || (date >= year.start && date <= year.end)) return []
  const message = `${date} is outside ${spec.financialYear}: ${year.start} to ${year.end}`
  return [{ check: 'dates-in-year', path, message }]
}

/** A parameter has a value from the first day of the year on, and its later values start later. */
export const parameterDatesRise: Check = ({ spec, year }) =>
  entries('parameters', spec.parameters).flatMap(({ path, value: { values } }) =>
    values.flatMap(({ startDate = year.start }, position) => {
      const before = position === 0 ? undefined : (values[position - 1]!.startDate ?? year.start)
      if (before === undefined ? startDate === year.start : startDate > before) return []
      const message =
        before === undefined
          ? `the first value starts on ${startDate}; expected a value from ${year.start}`
          : `${startDate} is not after ${before}, the start of the value before`
      return [{ check: 'parameter-dates-rise', path: `${path}.values[${position}]`, message }]
    }),
  )
