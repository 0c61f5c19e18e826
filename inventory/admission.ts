/** What one upload adds to the stores at most, in bytes: its batch, and its job and its vehicles once it is completed. */
export interface Needs {
  batch: number
  /** Its vehicles, as if each were new. */
  vehicles: number
  job: number
}

/** An upload that was admitted. */
export interface Admission extends Needs {
  clientId: string
}

/** Several uploads together. */
export interface Tally extends Needs {
  count: number
}

export const noTally = (): Tally => ({ count: 0, batch: 0, vehicles: 0, job: 0 })

export const addTo = (tally: Tally, needs: Needs): void => change(tally, needs, 1)

export const takeFrom = (tally: Tally, needs: Needs): void => change(tally, needs, -1)

function change(tally: Tally, { batch, vehicles, job }: Needs, sign: 1 | -1): void {
  tally.count += sign
  tally.batch += sign * batch
  tally.vehicles += sign * vehicles
  tally.job += sign * job
}
