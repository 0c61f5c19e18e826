import { Gauge, type Registry } from 'prom-client'

/** Creates gauges whose values are read from a store at each scrape. */
export function askedGauges<T>(registry: Registry, store: () => T | undefined) {
  return (name: string, help: string, read: (store: T) => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // NaN rather than 0 while the store cannot be read: 0 would look like an empty queue.
      async collect() {
        const opened = store()
        this.set(opened ? await read(opened).catch(() => NaN) : NaN)
      },
    })
}
