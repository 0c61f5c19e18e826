/** What one upload adds to the stores at most, in bytes: its batch, and its job once it is completed. */
export interface Needs {
  batch: number
  job: number
}

/** What one process has admitted, and what of it may still wait: no reading of the stores shows what that will add. */
export interface Admitted {
  /** Counts an upload; `stored` resolves once its batch is in the queue, with false where the batch never will be. */
  add(upload: Needs, stored: Promise<boolean>): void
  /** Takes a reading of the queue, which began `at` and found this number of messages, as the present one. */
  settle(reading: { at: number; messages: number }): void
  /** Bytes that the reading may not show. */
  since(): Needs
  /** The most bytes that the jobs of batches which the reading shows will take, and of how many batches. */
  waiting(): { count: number; job: number }
}

interface Admission extends Needs {
  /** Infinity until the batch is in the queue. */
  storedAt: number
}

export function createAdmitted(now: () => number): Admitted {
  let recent: Admission[] = []
  /** Bytes of the jobs of older ones, the largest first. */
  let older: number[] = []
  let settledAt = -Infinity
  return {
    add: (upload, stored) => {
      const admission = { ...upload, storedAt: Infinity }
      recent.push(admission)
      void stored.then((isStored) => {
        if (isStored) admission.storedAt = now()
        else recent = recent.filter((each) => each !== admission)
      })
    },
    settle: ({ at, messages }) => {
      if (at <= settledAt) return
      settledAt = at
      const jobs = recent.filter(({ storedAt }) => storedAt < at).map(({ job }) => job)
      recent = recent.filter(({ storedAt }) => storedAt >= at)
      // Nobody knows which of them still wait: as many of the largest as there are messages take no less.
      older = [...older, ...jobs].sort((one, other) => other - one).slice(0, messages)
    },
    since: () => ({ batch: sum(recent.map(({ batch }) => batch)), job: sum(recent.map(({ job }) => job)) }),
    waiting: () => ({ count: older.length, job: sum(older) }),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
