import type { Child } from './child.ts'
import { processIdentity } from './process-identity.ts'
import { writeRecord, type StackRecord } from './record.ts'
import { supervise, type Launch, type Supervised } from './supervise.ts'

/** The processes of a stack, recorded on disk and stopped in reverse order. */
export interface Crew {
  start<C extends Child>(name: string, launch: Launch<C>): Promise<C>
  markReady(): void
  isStopping(): boolean
  stopAll(): Promise<void>
}

export function newCrew(recordPath: string, say: (line: string) => void): Crew {
  const members: Supervised<Child>[] = []
  const record: StackRecord = { supervisor: processIdentity(process.pid) ?? '', ready: false, children: [] }
  let stopping = false
  const save = () => writeRecord(recordPath, record)
  const note = ({ name, pid }: Child) => {
    const others = record.children.filter((each) => each.name !== name)
    record.children = [...others, { name, identity: processIdentity(pid) ?? '' }]
    save()
  }
  save()
  return {
    start: async (name, launch) => {
      if (stopping) throw new Error(`${name} is not started: the stack is stopping`)
      const member = supervise(name, launch, { say, onStart: note })
      members.push(member)
      return member.started
    },
    markReady: () => {
      record.ready = true
      save()
    },
    isStopping: () => stopping,
    stopAll: async () => {
      stopping = true
      for (const member of members.toReversed()) {
        await member.stop()
        say(`${member.name} stopped`)
      }
    },
  }
}
