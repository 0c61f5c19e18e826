import { crashed } from '#rates/checks/contained.ts'
import type { Fault } from '#rates/checks/fault.ts'
import type { Clock } from '#runtime/clock.ts'
import { POSTPONED, type Assignment, type Contents, type MakeEvaluate } from './assignment.ts'
import { CHECK_DEADLINE, CHECK_MEMORY } from './check-thread.ts'
import type { CheckSet } from './checks.ts'
import { Outcomes } from './outcomes.ts'
import { RefusalBudget } from './refusal-budget.ts'
import { encoded } from './desired-index.ts'

/** The thread may have timed out for lack of processor time, so the set is checked again, but rarely. */
const EXPIRY_KEPT_MS = 600_000

/**
 * Judges a set of an assignment by its checks and by whether it can be encoded. Outcomes are remembered by content, and
 * other work may run between two sets.
 */
export function evaluator(
  check: CheckSet,
  clock: Pick<Clock, 'now' | 'elapsed' | 'turn'>,
  known = new Outcomes(),
): MakeEvaluate {
  const now = () => clock.now().getTime()
  const budget = new RefusalBudget()
  return (contents) => {
    const run = budget.beginRun()
    const judge = async (name: string, assignment: Assignment, key: string): Promise<Fault[]> => {
      await clock.turn()
      const startedAt = clock.elapsed()
      const faults = await judgeNow(check, contents, name, assignment)
      run.judged(key, faults.length > 0, clock.elapsed() - startedAt)
      known.set(key, { faults, until: isExpiry(faults) ? now() + EXPIRY_KEPT_MS : Infinity })
      return faults
    }
    return async (name, assignment) => {
      if (!contents.spec(name, assignment)) return []
      const key = `${name} ${contents.digest(name, assignment)}`
      const remembered = known.get(key, now())
      if (!remembered && !run.judgeOrPutOff(name, key)) return POSTPONED
      const faults = remembered ?? (await judge(name, assignment, key))
      const isFinal = faults.length === 0 || !run.leavesOut(contents.imports(name, assignment))
      return isFinal ? faults : POSTPONED
    }
  }
}

async function judgeNow(check: CheckSet, contents: Contents, name: string, assignment: Assignment): Promise<Fault[]> {
  const spec = contents.spec(name, assignment)
  if (!spec) return []
  const imports = contents.imports(name, assignment).flatMap((each) => contents.spec(each, assignment) ?? [])
  const found = await check({ name, spec, imports })
  return found.length > 0 ? found : encodingFaults(contents, name, assignment)
}

function encodingFaults(contents: Contents, name: string, assignment: Assignment): Fault[] {
  const spec = contents.spec(name, assignment)
  try {
    if (spec) encoded(name, spec, contents.importedSets(name, assignment))
    return []
  } catch (error) {
    return [crashed('encoding', error)]
  }
}

const isExpiry = ([first]: readonly Fault[]) => first?.check === CHECK_DEADLINE || first?.check === CHECK_MEMORY
