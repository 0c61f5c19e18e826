import type { Loaded } from '#rates/published/format.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import { createHolder, type Held } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { loadedReport, readiness } from '../../../api/load/report.ts'

export interface ReaderOptions {
  name: string
  namespace: string
  kube: Kube
  clock: Clock
  random: () => number
  log: Logger
  /** Told what is held after each change. */
  onSwap: (held: Held) => void
}

export interface Reader {
  held(): Held
  loaded(): Loaded
  isReady(): boolean
}

/** What an API process loads and says of it, as its start.ts puts it together, without HTTP. */
export function startReader({ name, onSwap, ...options }: ReaderOptions): Reader {
  const made = createHolder()
  const holder: typeof made = {
    ...made,
    swap: (change) => {
      made.swap(change)
      onSwap(made.read())
    },
  }
  startKubernetesSource({ ...options, holder })
  return {
    held: () => holder.read(),
    loaded: () => loadedReport(holder, { program: 'pricing', instance: name }),
    isReady: () => readiness(holder).ok,
  }
}
