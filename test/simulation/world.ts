import type { Loaded } from '#rates/published/format.ts'
import { rateSetDigest } from '#rates/published/encode-rates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { createLog, type Logger } from '#runtime/log.ts'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { attestationGate } from '../../operator/attestation/gate.ts'
import { signed, trustedKeys } from './attest.ts'
import { ClientsInvariants } from './invariants/clients.ts'
import { FormatInvariants } from './invariants/formats.ts'
import { KeysInvariants } from './invariants/keys.ts'
import { PromptInvariants } from './invariants/prompt.ts'
import { RatesInvariants } from './invariants/rates.ts'
import { ReaderRecord } from './invariants/readers.ts'
import { checkJudged, StatusInvariants } from './invariants/statuses.ts'
import { Violation } from './invariants/violation.ts'
import { ISSUER, NAMESPACE, nameOf, SECRETS_NAMESPACE, type Code } from './plan/contents.ts'
import { latenessOf, type Profile } from './plan/profile.ts'
import { startOperator, type Operator } from './programs/operator.ts'
import { startReader, type Reader } from './programs/reader.ts'
import { chanceOf, type Chance } from './schedule/chance.ts'
import type { Faults } from './schedule/faults.ts'
import { Life, timeOfDay } from './schedule/life.ts'
import { Machine } from './schedule/machine.ts'
import { scheduledKube, send } from './schedule/scheduled-kube.ts'
import { Scheduler } from './schedule/scheduler.ts'
import { ModelServer } from './server/model-server.ts'
import type { Write } from './server/storage.ts'
import { StateHash } from './state-hash.ts'

export interface WorldOptions {
  faults: Faults
  profile: Profile
  onState: (state: number) => void
  /** Rules that are let be broken: to see what else there is. */
  unchecked: ReadonlySet<string>
}

/** When an operator learnt of a reader. */
interface Known {
  revision: number
  time: number
}

interface OperatorMachine extends Machine<Operator> {
  leads: boolean
  stopLeading?: (() => Promise<void>) | undefined
}

const RATE_SETS = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${NAMESPACE}/ratesets`
/** Of the readers that start in an upgrade, those that are of the version before. */
const OLD_SHARE = 0.4

const LOG: Logger = createLog({ name: 'simulation', level: process.env['SIMULATION_LOG'] ?? 'silent' })

/** A cluster with two operators and several readers, all in this process, and everything that is checked of it. */
export class World {
  readonly scheduler: Scheduler
  readonly server: ModelServer
  readonly faults: Faults
  readonly profile: Profile
  readonly chance: Chance
  readonly operators: OperatorMachine[]
  readonly readers: Machine<Reader>[]
  readonly rates: RatesInvariants
  readonly clients: ClientsInvariants
  readonly statuses: StatusInvariants
  readonly keys: KeysInvariants
  readonly formats: FormatInvariants
  readonly prompt: PromptInvariants
  readonly records = new Map<Machine<Reader>, ReaderRecord>()
  readonly hash = new StateHash()
  readonly #seed: number
  readonly #attested = new Set<string>()
  readonly #unchecked: ReadonlySet<string>
  /** Told of each state that was not there a moment ago. */
  readonly #onState: (state: number) => void
  violation: Violation | undefined
  /** When something was written last that does not only show that time passes. */
  writtenAt = 0
  #writer = 'editor'
  readonly #known = new Map<string, ReadonlyMap<string, Known>>()
  #lives = 0

  constructor(seed: number, { faults, profile, onState, unchecked }: WorldOptions) {
    this.#unchecked = unchecked
    this.#seed = seed
    this.#onState = onState
    this.faults = faults
    this.profile = profile
    this.chance = chanceOf(seed)
    this.scheduler = new Scheduler(this.chance, profile.isCalm ? 0 : profile.timePasses)
    this.server = new ModelServer(() => new Date(timeOfDay(this.scheduler)))
    this.rates = new RatesInvariants(this.server.storage, profile.isAttested ? this.#attested : undefined)
    this.clients = new ClientsInvariants(this.server.storage, this.rates.takenAway)
    const known = (reader: string) => this.#known.get(this.#writer)?.get(reader)
    this.statuses = new StatusInvariants(this.rates, () => this.records.values(), known)
    this.keys = new KeysInvariants({
      readers: () => this.records.values(),
      now: () => this.scheduler.time,
      knownForMs: (reader) => this.scheduler.time - (known(reader)?.time ?? Infinity),
    })
    this.prompt = new PromptInvariants(this.clients, () => this.scheduler.time)
    this.formats = new FormatInvariants(() => this.scheduler.time)
    this.server.storage.listeners.push((write) => this.#take(write))
    this.operators = ['a', 'b'].map((name, n) => {
      const machine = this.#machine(`operator-${name}`, (life) => this.#operator(life))
      machine.skewMs = (n === 0 ? -1 : 1) * (profile.apartMs ?? 0)
      return Object.assign(machine, { leads: n === 0 })
    })
    this.readers = Array.from({ length: profile.readers }, (_, n) =>
      this.#machine(`reader-${n + 1}`, (life) => this.#reader(life)),
    )
  }

  start(): void {
    for (const operator of this.operators) this.startOperator(operator)
    for (const reader of this.readers) reader.start()
  }

  startOperator(machine: OperatorMachine): void {
    const operator = machine.start()
    if (this.profile.isElected) void operator.campaign()
    else if (machine.leads) this.lead(machine)
  }

  lead(machine: OperatorMachine): void {
    const { program, life, stopLeading } = Object.assign(machine, { leads: true })
    // One that has not learnt yet that it led no more leads on; a life that ended meanwhile has nothing to stop.
    if (!stopLeading)
      void program?.lead().then((stop) => machine.life === life && life?.isAlive && (machine.stopLeading = stop))
  }

  /** A leader may learn late that it leads no more. */
  depose(machine: OperatorMachine, afterMs: number): void {
    machine.leads = false
    const { life } = machine
    life?.after(afterMs, () => {
      if (machine.leads) return
      void machine.stopLeading?.()
      machine.stopLeading = undefined
    })
  }

  kill(machine: Machine<unknown>): void {
    if (!machine.life?.isAlive) return
    machine.life.end()
    Object.assign(machine, { program: undefined, stopLeading: undefined })
    this.records.delete(machine as Machine<Reader>)
    const isOperator = this.operators.includes(machine as OperatorMachine)
    if (!isOperator) this.showEndpoints()
    this.scheduler.after(this.chance() * 5000, () => {
      if (isOperator) this.startOperator(machine as OperatorMachine)
      else machine.start()
    })
  }

  /** Tells operators, through endpoint slices, which readers are ready. */
  showEndpoints(): void {
    this.scheduler.offer('endpoints', () => this.as('endpoints', () => this.#writeEndpoints()))
  }

  as<T>(who: string, work: () => T): T {
    const before = this.#writer
    this.#writer = who
    try {
      return work()
    } finally {
      this.#writer = before
    }
  }

  /** Runs a check; what it finds ends the simulation, and not the program that was at work. */
  guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      if (this.#unchecked.has(error.rule)) return
      this.violation ??= error
    }
  }

  /** Two that both hold the lease would be harmless to what is published, and are a fault of the election all the same. */
  checkElection(): void {
    if (this.operators.every(({ life, program }) => life?.isAlive && program?.isElected()))
      this.guard(() => {
        throw new Violation('one-leader', 'both operators hold the lease')
      })
  }

  /** Annotations of a rate set: its attestation, where somebody attested it. */
  attest(code: Code, spec: RateSetSpec): Record<string, string> {
    if (!this.profile.isAttested || this.chance() < 0.2) return {}
    const federal = this.server.storage.get(RATE_SETS, nameOf('AU'))?.object['spec'] as RateSetSpec
    const imports = code === 'AU' ? [] : [{ pricingCode: 'AU', digest: rateSetDigest(federal, []) }]
    const digest = rateSetDigest(spec, imports)
    this.#attested.add(`${nameOf(code)} ${digest}`)
    const attested = { pricingCode: code, financialYear: '2026-2027', digest }
    return { [ATTESTATION_ANNOTATION]: signed(attested, timeOfDay(this.scheduler)) }
  }

  #machine<P>(name: string, program: (life: Life) => P): Machine<P> {
    return new Machine(name, this.scheduler, program)
  }

  #around(life: Life, machine: () => Machine<unknown>) {
    const random = chanceOf(this.#seed * 31 + (this.#lives += 1))
    const crash = () => this.kill(machine())
    const lateMs = latenessOf(life.name, this.profile)
    const surroundings = { server: this.server, faults: this.faults, life, crash, as: this.as.bind(this), lateMs }
    return { kube: scheduledKube(surroundings), clock: life.clock, random, log: LOG, surroundings }
  }

  #operator(life: Life): Operator {
    const { surroundings, ...around } = this.#around(
      life,
      () => this.operators.find((each) => each.life === life) as OperatorMachine,
    )
    const configuration = readOperatorConfiguration({
      ...{ NAMESPACE, CLIENT_SECRETS_NAMESPACE: SECRETS_NAMESPACE, ISSUER, POD_NAME: life.name },
      ...{ API_HEALTH_SERVICES: 'api', SIGNING_KEY_SECONDS: '60', CHECK_SECONDS: '2', RELEASES_KEEP_DAYS: '0' },
      ...(this.profile.isCalm && { STATUS_WRITES_PER_SECOND: '1' }),
    })
    const promotion = this.profile.isAttested
      ? { gate: attestationGate({ keys: trustedKeys(), environments: ['staging'] }, () => life.clock.now()) }
      : {}
    const ask = (url: string) =>
      send(surroundings, { what: `ask ${url}`, timeoutMs: 1000, execute: () => this.#loaded(url, life) })
    const known = new Map<string, Known>()
    this.#known.set(life.name, known)
    this.formats.begin(life)
    const onProcesses = (urls: readonly string[]) => this.#learn(known, urls)
    const onJudged = (name: string, seconds: number) => this.guard(() => checkJudged(name, seconds, configuration))
    return startOperator({ ...around, configuration, promotion, ask, onProcesses, onJudged })
  }

  /** Since when an operator knows which readers: what it claims of all readers is claimed of these. */
  #learn(known: Map<string, Known>, urls: readonly string[]): void {
    const now = { revision: this.server.storage.revision, time: this.scheduler.time }
    for (const { name } of this.readers) {
      if (!urls.some((url) => url.includes(name))) known.delete(name)
      else if (!known.has(name)) known.set(name, now)
    }
  }

  #loaded(url: string, operator: Life): Loaded {
    const { program, life } = this.readers.find(({ name, life }) => url.includes(name) && life?.isAlive) ?? {}
    if (!program || !life) throw new Error('ECONNREFUSED')
    return this.formats.answered(structuredClone(program.loaded()), { operator, reader: life })
  }

  #reader(life: Life): Reader {
    const machine = () => this.readers.find((each) => each.life === life) as Machine<Reader>
    const { kube, clock, random, log } = this.#around(life, machine)
    if (this.profile.hasOldReaders && this.chance() < OLD_SHARE) this.formats.makeOld(life)
    const isWithdrawn = (name: string) =>
      this.rates.untold.has(name) || this.rates.versions(name).some((version) => version.isWithdrawn)
    const record = new ReaderRecord(life.name, { isWithdrawn, storage: this.server.storage, pins: this.rates.pins })
    const reader = startReader({
      ...{ kube, clock, random, log, name: life.name, namespace: NAMESPACE },
      onSwap: (held) => {
        if (!life.isAlive) return
        this.guard(() => record.take(held))
        if (record.readyAt !== undefined || !reader.isReady()) return
        record.readyAt = this.server.storage.revision
        this.showEndpoints()
      },
    })
    this.scheduler.offer('record', () => life.isAlive && this.records.set(machine(), record))
    return reader
  }

  #writeEndpoints(): void {
    const endpoints = this.readers.flatMap(({ name, life, program }) =>
      life?.isAlive && program ? [{ addresses: [name], conditions: { ready: program.isReady() } }] : [],
    )
    const metadata = { name: 'api', namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': 'api' } }
    const ports = [{ name: 'health', port: 8090 }]
    const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, endpoints, ports }
    this.server.apply(slice as object, { fieldManager: 'endpoints', force: true })
  }

  #take(write: Write): void {
    const isOperator = this.#writer.startsWith('operator')
    this.guard(() => {
      this.rates.take(write, isOperator)
      this.clients.take(write, isOperator)
      this.statuses.take(write)
      this.keys.take(write)
      this.prompt.take(write)
      if (isOperator) this.formats.take(write, this.#writer)
    })
    if (!this.hash.take(write)) return
    this.#onState(this.hash.value)
    this.writtenAt = this.scheduler.time
  }
}
