import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DecodeLimits } from './decode-image.ts'
import type { DecoderReply, DecoderRequest } from './decoder-process.ts'
import { ImageFault } from './image-fault.ts'
import type { Pixels } from './picture-size.ts'

/** Decodes pictures. */
export interface Decoder {
  /**
   * The whole picture as the pixels that are classified. Rejects with an `ImageFault`, and with another error when the
   * decoder itself is broken.
   */
  decode(bytes: Buffer, limits: DecodeLimits): Promise<Pixels>
  close(): Promise<void>
}

/** Milliseconds for a process to start. */
const START_MS = 60_000
/** A decode that takes this many times its limit hangs; within the limit, the decoder itself gives up. */
const PATIENCE = 2
/** The second death is the picture's fault; the first may be the machine's. */
const MOST_DEATHS = 2

/**
 * Starts processes that decode one picture each at a time. libvips is native code that reads bytes from strangers: a
 * picture that kills it ends one of these processes, not the worker, and nobody but this picture is concerned.
 */
export async function startDecoder(
  processes: number,
  source = new URL('./decoder-process.ts', import.meta.url),
): Promise<Decoder> {
  const pool = new Pool(source)
  await pool.fill(processes)
  return {
    decode: async (bytes, limits) => {
      for (let deaths = 0; deaths < MOST_DEATHS; deaths += 1) {
        const reply = await pool.ask({ bytes, limits })
        if (reply !== 'died') return pixelsOf(reply)
      }
      throw new ImageFault('UNDECODABLE', 'The decoder ended, or did not answer, while it decoded the picture.')
    },
    close: () => pool.close(),
  }
}

function pixelsOf(reply: DecoderReply): Pixels {
  if ('pixels' in reply) return reply.pixels
  if ('fault' in reply) throw new ImageFault(reply.fault.code, reply.fault.message)
  throw new Error(`the decoder failed: ${'failure' in reply ? reply.failure : 'it answered what nobody asked'}`)
}

/** Processes without a picture; a picture takes one, or starts one when there is none. */
class Pool {
  readonly #source: URL
  readonly #idle: DecoderProcess[] = []
  readonly #all = new Set<DecoderProcess>()
  #isClosed = false

  constructor(source: URL) {
    this.#source = source
  }

  async fill(processes: number): Promise<void> {
    this.#idle.push(...(await Promise.all(Array.from({ length: processes }, () => this.#start()))))
  }

  async ask(request: DecoderRequest): Promise<DecoderReply | 'died'> {
    const chosen = this.#takeIdle() ?? (await this.#start())
    const reply = await chosen.ask(request)
    if (this.#isClosed) throw new Error('the decoder is closed')
    if (chosen.isAlive) this.#idle.push(chosen)
    else this.#all.delete(chosen)
    return reply
  }

  /** One that died while it had nothing to do is no fault of the next picture. */
  #takeIdle(): DecoderProcess | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isAlive) return idle
      this.#all.delete(idle)
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((each) => each.end()))
  }

  async #start(): Promise<DecoderProcess> {
    if (this.#isClosed) throw new Error('the decoder is closed')
    const started = new DecoderProcess(this.#source)
    this.#all.add(started)
    try {
      await started.ready
      return started
    } catch (error) {
      this.#all.delete(started)
      throw error
    }
  }
}

class DecoderProcess {
  isAlive = true
  readonly ready: Promise<void>
  readonly #child: ChildProcess
  readonly #exited: Promise<void>
  #settle: (reply: DecoderReply | 'died') => void = () => undefined

  constructor(source: URL) {
    this.#child = fork(fileURLToPath(source), [], {
      // Bytes are copied as they are, and not written as JSON.
      serialization: 'advanced',
      // A stranger who takes the process over finds no logins in its environment.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()))
    this.#child.on('message', (reply: DecoderReply) => this.#settle(reply))
    this.#child.on('exit', () => this.#died())
    this.#child.on('error', () => this.#died())
    this.ready = this.#next(START_MS).then((reply) => {
      if (reply === 'died') throw new Error('the decoder did not start')
    })
  }

  ask(request: DecoderRequest): Promise<DecoderReply | 'died'> {
    if (!this.isAlive) return Promise.resolve('died')
    const reply = this.#next(request.limits.seconds * PATIENCE * 1000)
    this.#child.send(request, (error) => error && this.#died())
    return reply
  }

  async end(): Promise<void> {
    if (!this.isAlive) return
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  /** What the process says next, or that it died; it is killed when it says nothing. */
  async #next(longestMs: number): Promise<DecoderReply | 'died'> {
    const { promise, resolve } = Promise.withResolvers<DecoderReply | 'died'>()
    this.#settle = resolve
    const timer = setTimeout(() => this.#died(), longestMs)
    return promise.finally(() => clearTimeout(timer))
  }

  #died(): void {
    this.isAlive = false
    this.#child.kill('SIGKILL')
    this.#settle('died')
  }
}
