import { Histogram, type Aggregator, type Registry } from 'prom-client'

// A quote takes well under a millisecond, a token request a few; the highest bucket is where clients give up.
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** The durations of one operation: in each bucket alone, the last for values above all bounds; in seconds. */
interface Observed {
  counts: number[]
  seconds: number
}

/** Durations by operation, counted here like the requests: the library makes a text of the labels for each value. */
export class Durations extends Histogram<'operation'> {
  readonly #byOperation = new Map<string, Observed>()

  constructor(registry: Registry) {
    super({
      name: 'driveaway_request_duration_seconds',
      help: 'Seconds from reading the request line to having the response.',
      labelNames: ['operation'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    })
  }

  observeOf(operation: string, seconds: number): void {
    let observed = this.#byOperation.get(operation)
    if (!observed) {
      observed = { counts: Array<number>(BUCKETS_SECONDS.length + 1).fill(0), seconds: 0 }
      this.#byOperation.set(operation, observed)
    }
    let at = 0
    while (at < BUCKETS_SECONDS.length && seconds > BUCKETS_SECONDS[at]!) at += 1
    observed.counts[at]! += 1
    observed.seconds += seconds
  }

  /** The library asks this for its text and its JSON. */
  getForPromString() {
    const { name, help, aggregator } = this as unknown as { name: string; help: string; aggregator: Aggregator }
    const values = [...this.#byOperation].flatMap(([operation, observed]) => seriesOf(name, operation, observed))
    return Promise.resolve({ name, help, type: 'histogram', values, aggregator })
  }
}

/** The series of one operation, as the library has them: each bucket counts what is at most its bound. */
function seriesOf(name: string, operation: string, { counts, seconds }: Observed) {
  const sharedLabels = { operation }
  let count = 0
  const buckets = counts.map((own, at) => {
    count += own
    return { labels: { le: BUCKETS_SECONDS[at] ?? '+Inf' }, sharedLabels, value: count, metricName: `${name}_bucket` }
  })
  const sums = [
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value: seconds },
    { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
  ]
  return [...buckets, ...sums]
}
