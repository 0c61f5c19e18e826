// Loaded before a program: since CLOCK_FROM_MS, and after it, its clock goes a hundred times slower than the real one, so
// that all that a test does is within one minute of UTC, however busy the machine is.
const Real = Date
const from = Number(process.env['CLOCK_FROM_MS'])
const now = () => from + Math.floor((Real.now() - from) / 100)

globalThis.Date = new Proxy(Real, {
  construct: (real, args: unknown[]) => Reflect.construct(real, args.length === 0 ? [now()] : args) as Date,
  get: (real, name) => (name === 'now' ? now : (Reflect.get(real, name) as unknown)),
})
