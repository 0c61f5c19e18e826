// Loaded before a program: its clock is CLOCK_SHIFT_MS ahead.
const Real = Date
const now = () => Real.now() + Number(process.env['CLOCK_SHIFT_MS'] ?? 0)

globalThis.Date = new Proxy(Real, {
  construct: (real, args: unknown[]) => Reflect.construct(real, args.length === 0 ? [now()] : args) as Date,
  get: (real, name) => (name === 'now' ? now : (Reflect.get(real, name) as unknown)),
})
