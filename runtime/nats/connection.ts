import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../log.ts'
import { connectFault, connectNats, type NatsAccess } from './access.ts'
import { StorageFault } from './ensure-storage.ts'
import { serverFault } from './server-fault.ts'

export interface NatsOptions extends NatsAccess {
  /** Name that the server shows for this connection. */
  name: string
  log: Logger
  /** Milliseconds between attempts. Default 1,000. */
  retryMs?: number
  /** Prepares the server after each connection. An error means that the server is unfit. */
  prepare?: (connection: NatsConnection) => Promise<void>
  /** Milliseconds after which a fit server is prepared again: somebody may change its storage. Default: never. */
  recheckMs?: number
}

export interface FollowedNats {
  /** The connection, while it is open and its server is fit for use. */
  connection(): NatsConnection | undefined
  ready(): { ok: boolean; body: { ready: boolean; nats: string } }
  /** Has a fit server prepared again within a second, because a request failed at it. */
  suspect(): void
  /** Sends everything that is pending, then closes the connection. */
  stop(): Promise<void>
}

/**
 * Connects to NATS and stays connected. While a server is unreachable or unfit, the program is not ready, but it does
 * not exit.
 */
export function followNats(options: NatsOptions): FollowedNats {
  const loop = new ConnectionLoop(options)
  const ended = loop.run()
  return {
    connection: () => (loop.fault === undefined ? loop.connection : undefined),
    ready: () => ({
      ok: loop.fault === undefined,
      body: { ready: loop.fault === undefined, nats: loop.fault ?? 'connected' },
    }),
    suspect: () => void (loop.isSuspected = true),
    stop: async () => {
      loop.abort.abort()
      await ended
    },
  }
}

const DRAIN_MS = 3_000

class ConnectionLoop {
  connection: NatsConnection | undefined
  fault: string | undefined = 'not connected yet'
  isSuspected = false
  readonly abort = new AbortController()
  readonly #options: NatsOptions
  readonly #log: Logger
  readonly #retryMs: number
  #isOpen = false
  #checkedAt = 0

  constructor(options: NatsOptions) {
    this.#options = options
    this.#log = options.log.child({ nats: options.name })
    this.#retryMs = options.retryMs ?? 1_000
  }

  async run(): Promise<void> {
    while (!this.abort.signal.aborted) {
      const connection = await this.#open()
      if (!connection) await this.#pause()
      else await this.#follow(connection)
    }
  }

  async #open(): Promise<NatsConnection | undefined> {
    const { name } = this.#options
    try {
      // Retries for ever: a restart of the broker must not end the program.
      const reconnect = { maxReconnectAttempts: -1, reconnectTimeWait: this.#retryMs }
      // Otherwise the client captures two stack traces for each request, in case it fails: a tenth of a worker's time.
      return await connectNats(this.#options, { name, ...reconnect, noAsyncTraces: true })
    } catch (error) {
      this.#setFault(`cannot connect: ${connectFault(error)}`)
      return undefined
    }
  }

  async #follow(connection: NatsConnection): Promise<void> {
    this.connection = connection
    this.#isOpen = true
    // Not awaited: its iterator does not end with the connection.
    void this.#watchStatus(connection)
    // An unfit server is checked again, because JetStream may start late and servers may be replaced.
    while (!this.abort.signal.aborted && !connection.isClosed()) {
      if (this.#isOpen && this.fault !== undefined) await this.#judge(connection)
      else if (this.#isOpen) await this.#checkAgain(connection)
      await this.#pause()
    }
    await this.#end(connection)
  }

  async #end(connection: NatsConnection): Promise<void> {
    // Draining waits for the server, which may be unreachable; draining and closing at once would leave both waiting.
    if (this.#isOpen && !connection.isClosed()) {
      await Promise.race([connection.drain().catch(() => undefined), sleep(DRAIN_MS, undefined, { ref: false })])
    }
    if (!connection.isClosed()) await connection.close()
  }

  async #watchStatus(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#isOpen = false
        this.#setFault('disconnected')
      }
      if (type === 'reconnect') {
        this.#isOpen = true
        await this.#judge(connection)
      }
    }
  }

  async #judge(connection: NatsConnection): Promise<void> {
    const found =
      serverFault(connection.info) ?? (await jetstreamFault(connection)) ?? (await this.#unprepared(connection))
    this.#checkedAt = performance.now()
    if (!this.#isOpen) return
    this.#setFault(found)
  }

  async #checkAgain(connection: NatsConnection): Promise<void> {
    const { prepare, recheckMs = Infinity } = this.#options
    if (!this.isSuspected && performance.now() - this.#checkedAt < recheckMs) return
    this.isSuspected = false
    this.#checkedAt = performance.now()
    try {
      await prepare?.(connection)
    } catch (error) {
      // A server that is only slow to answer stays in use.
      if (error instanceof StorageFault && this.#isOpen) this.#setFault(error.message)
    }
  }

  async #unprepared(connection: NatsConnection): Promise<string | undefined> {
    try {
      await this.#options.prepare?.(connection)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  #setFault(fault: string | undefined): void {
    if (fault === this.fault) return
    this.fault = fault
    if (fault === undefined) this.#log.info({ server: this.connection?.getServer() }, 'connected to NATS')
    else this.#log.warn({ fault }, 'NATS cannot be used')
  }

  async #pause(): Promise<void> {
    await sleep(this.#retryMs, undefined, { signal: this.abort.signal }).catch(() => undefined)
  }
}

async function jetstreamFault(connection: NatsConnection): Promise<string | undefined> {
  try {
    await (await jetstreamManager(connection)).getAccountInfo()
    return undefined
  } catch (error) {
    return `JetStream does not answer: ${(error as Error).message}`
  }
}
