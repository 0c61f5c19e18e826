/** One setting: the environment variable with its text, and how the text becomes a value. */
export interface Setting<T> {
  env: string
  /** The expected text, in words for the error message. */
  expected: string
  fallback: T | undefined
  /** Whether the text may contain a password; messages then do not quote it. */
  isSecret?: boolean
  /** Returns undefined when the text is not as expected. */
  parse: (text: string) => T | undefined
}

export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(['The configuration is not valid:', ...faults.map((fault) => `  ${fault}`)].join('\n'))
    this.faults = faults
  }
}

interface Source<T> {
  env: string
  default?: T
}

/** Reads every setting from the environment into one frozen object, or throws one error that lists all faults. */
export function readConfiguration<T>(env: NodeJS.ProcessEnv, spec: { [K in keyof T]: Setting<T[K]> }): Readonly<T> {
  const faults: string[] = []
  const configuration: Partial<T> = {}
  for (const key of Object.keys(spec) as (keyof T)[]) {
    const outcome = readSetting(env, spec[key])
    if ('fault' in outcome) faults.push(outcome.fault)
    else configuration[key] = outcome.value
  }
  if (faults.length > 0) throw new ConfigurationError(faults)
  return Object.freeze(configuration as T)
}

function readSetting<T>(env: NodeJS.ProcessEnv, setting: Setting<T>): { value: T } | { fault: string } {
  const text = env[setting.env]?.trim()
  // Shells and charts express "not set" as an empty variable.
  if (text === undefined || text === '') {
    if (setting.fallback !== undefined) return { value: setting.fallback }
    return { fault: `${setting.env} is not set; expected ${setting.expected}` }
  }
  const value = setting.parse(text)
  if (value !== undefined) return { value }
  if (setting.isSecret) return { fault: `${setting.env} cannot be read; expected ${setting.expected}` }
  return { fault: `${setting.env} is ${JSON.stringify(text)}; expected ${setting.expected}` }
}

/** Any text that is not empty. */
export function text(source: Source<string>): Setting<string> {
  return { ...named(source), expected: 'text', parse: (value) => value }
}

/** A whole number from `min` to `max`, both inclusive. */
export function integer(source: Source<number> & { min?: number; max?: number }): Setting<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = source
  return {
    ...named(source),
    expected: `a whole number${range(source)}`,
    parse: (value) => {
      const number = /^-?\d{1,16}$/.test(value) ? Number(value) : NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A TCP port; 0 asks the system for a free one. */
export function port(source: Source<number>): Setting<number> {
  return { ...integer({ ...source, min: 0, max: 65_535 }), expected: 'a port from 0 to 65535' }
}

/** One of the given words. */
export function choice<const V extends string>(source: Source<NoInfer<V>> & { values: readonly V[] }): Setting<V> {
  return {
    ...named(source),
    expected: `one of ${source.values.join(', ')}`,
    parse: (value) => source.values.find((each) => each === value),
  }
}

/** Texts separated by commas; surrounding spaces and empty texts are removed. */
export function list(source: Source<readonly string[]>): Setting<readonly string[]> {
  return {
    ...named(source),
    expected: 'texts separated by commas',
    parse: (value) =>
      Object.freeze(
        value
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
      ),
  }
}

/** A duration in seconds, fractions allowed. */
export function seconds(source: Source<number> & { min?: number; max?: number }): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = source
  return {
    ...named(source),
    expected: `a number of seconds${range(source)}`,
    parse: (value) => {
      const number = /^\d{1,12}(\.\d{1,6})?$/.test(value) ? Number(value) : NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A switch: `true` or `false`. */
export function flag(source: Source<boolean>): Setting<boolean> {
  const words: Record<string, boolean> = { true: true, false: false }
  return {
    ...named(source),
    expected: 'true or false',
    parse: (value) => (Object.hasOwn(words, value) ? words[value] : undefined),
  }
}

function named<T>(source: Source<T>): { env: string; fallback: T | undefined } {
  return { env: source.env, fallback: source.default }
}

function range({ min, max }: { min?: number; max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}
