import type { Fault } from '#rates/checks/fault.ts'
import type { PublishedKind } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'

/** One object with the verdict of a publication run. */
export interface Judged {
  name: string
  generation: number
  /** A one-word reason for the refusal; absent when the faults are sufficient. */
  reason?: string
  faults: readonly Fault[]
}

/** Logs refusals: one line per object and fault, however many runs repeat the fault. */
export interface Refusals {
  tell(kind: PublishedKind, judged: Iterable<Judged>): void
}

const OBJECTS = { rates: 'RateSet', clients: 'ShowroomClient' }

export function refusalLog(log: Logger): Refusals {
  const told = { rates: new Map<string, string>(), clients: new Map<string, string>() }
  return {
    tell: (kind, judged) => {
      const refused = new Map<string, string>()
      for (const { name, generation, reason, faults } of judged) {
        const [first] = faults
        if (!first) continue
        const { check, path, message } = first
        const line = JSON.stringify([generation, reason, check, path, message])
        refused.set(name, line)
        if (told[kind].get(name) === line) continue
        const object = { kind: OBJECTS[kind], name, generation, ...(reason && { reason }) }
        log.info({ ...object, check, path, fault: message, faults: faults.length }, 'refused')
      }
      told[kind] = refused
    },
  }
}
