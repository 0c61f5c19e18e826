import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { Candidate, Contents } from './assignment.ts'
import { importCodes } from './checks.ts'

export interface ImportOrder {
  /** Every name, each after all that it imports in its new content or in its last good one. */
  order: readonly string[]
  /** By name, the sets that import it in either content. */
  importers: ReadonlyMap<string, readonly string[]>
}

/** The order in which sets are judged, whichever of their contents is chosen. */
export function importOrder({ candidates }: Contents): ImportOrder {
  const order: string[] = []
  const visited = new Set<string>()
  const importers = new Map<string, string[]>()
  const visit = (name: string): void => {
    const candidate = candidates.get(name)
    if (!candidate || visited.has(name)) return
    visited.add(name)
    for (const imported of importedNames(candidate)) {
      if (!importers.has(imported)) importers.set(imported, [])
      importers.get(imported)?.push(name)
      visit(imported)
    }
    order.push(name)
  }
  for (const name of candidates.keys()) visit(name)
  return { order, importers }
}

function importedNames({ spec, lastGood }: Candidate): Set<string> {
  const names = (one: RateSetSpec | undefined) =>
    one ? importCodes(one).map((code) => rateSetName(code, one.financialYear)) : []
  return new Set([...names(spec), ...names(lastGood)])
}

/** A set and all that import it, through however many others. */
export function withImporters(name: string, importers: ImportOrder['importers']): Set<string> {
  const found = new Set([name])
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer)
  return found
}

/** Names that are still to be judged, the first in a given order next: a binary heap of positions. */
export class Due {
  readonly #names: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #waiting = new Set<number>()
  readonly #heap: number[] = []

  constructor(names: readonly string[]) {
    this.#names = names
    this.#positions = new Map(names.map((name, position) => [name, position]))
  }

  add(name: string): void {
    const position = this.#positions.get(name)
    if (position === undefined || this.#waiting.has(position)) return
    this.#waiting.add(position)
    this.#heap.push(position)
    this.#rise(this.#heap.length - 1)
  }

  next(): string | undefined {
    const [first] = this.#heap
    const last = this.#heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink(0)
    }
    this.#waiting.delete(first)
    return this.#names[first]
  }

  #rise(at: number): void {
    const parent = (at - 1) >> 1
    if (at === 0 || this.#heap[parent]! <= this.#heap[at]!) return
    this.#swap(at, parent)
    this.#rise(parent)
  }

  #sink(at: number): void {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const smaller = (this.#heap[right] ?? Infinity) < (this.#heap[left] ?? Infinity) ? right : left
    if ((this.#heap[smaller] ?? Infinity) >= this.#heap[at]!) return
    this.#swap(at, smaller)
    this.#sink(smaller)
  }

  #swap(a: number, b: number): void {
    ;[this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!]
  }
}
