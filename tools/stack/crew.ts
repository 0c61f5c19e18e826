import type { Child } from './child.ts'
import { processIdentity } from './process-identity.ts'
import { writeRecord, type StackRecord } from './record.ts'
import { supervise, type Supervised } from './supervise.ts'

/** Everything that a stack has started, kept on record on disk and stopped in reverse order. */
export interface Crew {
  start<C extends Child>(name: string, launch: () => Promise<C>): Promise<C>
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
      const launched = await supervise(name, launch, { say, onStart: note })
      members.push(launched)
      const child = launched.child()
      if (!child) throw new Error(`${name} ended as soon as it was ready`)
      return child
    },
    markReady: () => {
      record.ready = true
      save()
    },
    isStopping: () => stopping,
    stopAll: async () => {
      stopping = true
      for (const member of members.reverse()) {
        await member.stop()
        say(`${member.name} stopped`)
      }
    },
  }
}
