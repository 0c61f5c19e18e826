import { write, writeStart } from '../../account.ts'
import { compileAmount, type Amount } from '../amount.ts'
import { add, compare, subtract, type Exact } from '../../exact.ts'
import type { Band, Excess } from '../../grammar/charge.ts'
import { refuse, type Basis, type Place } from '../scope.ts'
import type { Figure, State } from '../../state.ts'
import { compileFlat } from './flat.ts'
import { compileInterpolate } from './interpolate.ts'
import { compileRate, type Rate } from './whole.ts'

interface CompiledBand {
  readonly upTo: Amount | null
  readonly charge: Rate
}

/** Compiles bands of the basis. The first band whose `upTo`, inclusive, is not below the unrounded basis applies. */
export function compileBands(bands: readonly Band[], basis: Basis, place: Place): Figure {
  const compiled: CompiledBand[] = []
  for (const [index, band] of bands.entries()) {
    const at = place.at(`bands[${index}]`)
    const below = compiled.at(-1)?.upTo ?? null
    const upTo = band.upTo === undefined ? null : compileAmount(band.upTo, at.at('upTo'))
    compiled.push({ upTo, charge: compileBand(band, below, at) })
  }
  if (compiled.at(-1)?.upTo !== null) return refuse(place.at('bands'), 'the last band has no upTo')
  return { computeAndNote: (state) => computeBand(compiled, basis, state), blame: basis.blame }
}

function computeBand(bands: readonly CompiledBand[], basis: Basis, state: State): Exact | null {
  const amount = basis.computeAndNote(state)
  if (amount === null) return null
  for (let index = 0; index < bands.length; index++) {
    const { upTo, charge } = bands[index]!
    if (upTo !== null && compare(amount, upTo.constant ?? upTo.computeAndNote(state)) > 0) continue
    if (state.trace) {
      state.trace.step = `charge.bands[${index}]`
      writeStart(state.trace, 'basis', amount)
    }
    return charge(amount, state)
  }
  return null
}

function compileBand(band: Band, below: Amount | null, place: Place): Rate {
  if (band.flat !== undefined) {
    const flat = compileFlat(band.flat, place.at('flat'))
    return (_amount, state) => flat(state)
  }
  if (band.whole) return compileRate(band.whole, place.at('whole'))
  if (band.excess) return compileExcess(band.excess, below, place.at('excess'))
  if (band.interpolate) return compileInterpolate(band.interpolate, place.at('interpolate'))
  return refuse(place, 'expected flat, whole, excess or interpolate')
}

function compileExcess(spec: Excess, below: Amount | null, place: Place): Rate {
  const rate = compileRate(spec, place)
  const plus = spec.plus === undefined ? null : compileAmount(spec.plus, place.at('plus'))
  return (amount, state) => {
    const charge = rate(excessOf(amount, below, state), state)
    if (plus === null) return charge
    const added = plus.computeAndNote(state)
    const sum = add(charge, added)
    if (state.trace) write(state.trace, { kind: 'plus', cents: added }, sum)
    return sum
  }
}

function excessOf(amount: Exact, below: Amount | null, state: State): Exact {
  if (below === null) return amount
  const edge = below.computeAndNote(state)
  const excess = subtract(amount, edge)
  if (state.trace) write(state.trace, { kind: 'above', cents: edge }, excess)
  return excess
}
