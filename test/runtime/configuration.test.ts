import { expect, test } from 'vitest'
import {
  choice,
  ConfigurationError,
  flag,
  integer,
  list,
  port,
  readConfiguration,
  seconds,
  text,
} from '#runtime/configuration.ts'

test('every fault is reported at once, each naming the variable and what was expected', () => {
  const read = () =>
    readConfiguration(
      { PORT: '70000', SERVE: 'both ways', LEASE: 'soon', QUIET: '1', COUNT: '1.5' },
      {
        url: text({ env: 'URL' }),
        port: port({ env: 'PORT' }),
        serve: choice({ env: 'SERVE', values: ['pricing', 'inventory'] }),
        lease: seconds({ env: 'LEASE' }),
        quiet: flag({ env: 'QUIET' }),
        count: integer({ env: 'COUNT', min: 1, max: 9 }),
      },
    )
  expect(read).toThrow(ConfigurationError)
  try {
    read()
  } catch (error) {
    expect((error as ConfigurationError).faults).toEqual([
      'URL is not set; expected text',
      'PORT is "70000"; expected a port from 0 to 65535',
      'SERVE is "both ways"; expected one of pricing, inventory',
      'LEASE is "soon"; expected a number of seconds',
      'QUIET is "1"; expected true or false',
      'COUNT is "1.5"; expected a whole number from 1 to 9',
    ])
  }
})

test('what is not set takes its default, an empty variable included, and the result cannot be changed', () => {
  const read = readConfiguration(
    { HOST: '', URLS: ' http://a , http://b,', LEASE: '0.5' },
    {
      host: text({ env: 'HOST', default: '127.0.0.1' }),
      urls: list({ env: 'URLS' }),
      lease: seconds({ env: 'LEASE' }),
      serve: choice({ env: 'SERVE', values: ['pricing', 'both'], default: 'both' }),
    },
  )
  expect(read).toEqual({ host: '127.0.0.1', urls: ['http://a', 'http://b'], lease: 0.5, serve: 'both' })
  expect(Object.isFrozen(read)).toBe(true)
})
