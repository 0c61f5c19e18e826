import { Gauge, type Registry } from 'prom-client'

/** Makes gauges whose value is asked of a store whenever the metrics are read. */
export function askedGauges<T>(registry: Registry, store: () => T | undefined) {
  return (name: string, help: string, read: (store: T) => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // Not a number rather than 0 while it cannot be asked: an empty queue is good news.
      async collect() {
        const opened = store()
        this.set(opened ? await read(opened).catch(() => NaN) : NaN)
      },
    })
}
