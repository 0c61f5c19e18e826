import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Notice } from '#notices/notice.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { ShowroomClientSpec } from '../../../operator/showroom-client/object.ts'
import { ended } from '../../../worker/mail/progress.ts'
import { asUser, startChartNats } from '../../harness/chart-nats.ts'
import type { TestNats } from '../../harness/nats.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { aNoticeKey, type NoticeKey } from '../../notices/notice-key.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type RunningOperator, type World } from '../world.ts'
import { readOutbox, withOutbox } from './outbox-reader.ts'

const CODES = ['AU', 'AU_VIC', 'AU_NSW'] as const
const CLIENTS = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients'

export const clientSpec = (
  name: string,
  notices: boolean,
  more: Partial<ShowroomClientSpec> = {},
): ShowroomClientSpec => ({
  displayName: name,
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote'],
  credentials: [{ secretRef: { name } }],
  contacts: [{ email: `rates@${name}.example`, notices }],
  ...more,
})

export async function startTellingWorld() {
  const [world, nats, key] = await Promise.all([startWorld(), startChartNats(), aNoticeKey()])
  return new TellingWorld(world, nats, key)
}

/** A world with clients of each sort, whose operator tells them of each release by a real nats-server. */
export class TellingWorld {
  readonly world: World
  readonly nats: TestNats
  readonly key: NoticeKey
  operator!: RunningOperator
  /** The announcement that was the last when the test began. */
  before = 0
  /** What the operator was started with beside the usual. */
  #started: Record<string, string> | undefined
  readonly #folder = temporaryDirectory('notice-key')
  readonly #logFiles: string[] = []

  constructor(world: World, nats: TestNats, key: NoticeKey) {
    this.world = world
    this.nats = nats
    this.key = key
  }

  async startOperator(env: Record<string, string> = {}): Promise<void> {
    const keyFile = join(this.#folder.path, 'key.json')
    writeFileSync(keyFile, this.key.privateJwk)
    this.#started = env
    this.operator = await this.world.startOperator({
      ...{
        NOTICES: 'true',
        NOTICES_SETTLE_SECONDS: '0',
        NATS_URL: asUser(this.nats.url, 'operator'),
        ENVIRONMENT: 'production-test',
      },
      ...{ NOTICES_SIGNING_KEY_FILE: keyFile, ...env },
    })
    this.#logFiles.push(this.operator.logFile)
  }

  /** Whatever was before: the same sets and clients, the usual operator, and everybody told of everything. */
  async begin(): Promise<void> {
    const isUsual = this.#started !== undefined && Object.keys(this.#started).length === 0
    if (this.#started && !isUsual) await this.operator.child.stop()
    await this.#applyAll()
    if (!isUsual) await this.startOperator()
    const isReady = async () => (await fetch(`${this.operator.healthUrl}/readyz`)).ok
    await waitFor('the operator', isReady, { timeoutMs: 60_000 })
    for (const code of CODES) await this.world.until('RateSet', rateSetName(code, '2026-2027'), ['Ready', 'True'])
    this.before = await waitFor('everything to be told', () => this.#settled(), { timeoutMs: 40_000 })
    await this.mailAll()
  }

  /** Applies every set at $10.00, and one client of each sort. */
  async #applyAll(): Promise<void> {
    for (const code of CODES) await this.world.applySet(inventedSet(code))
    const clients = {
      northside: clientSpec('northside', true),
      victorian: clientSpec('victorian', true, { notices: { pricingCodes: ['AU_VIC'] } }),
      sydney: clientSpec('sydney', true, { notices: { pricingCodes: ['AU_NSW'] } }),
      quiet: clientSpec('quiet', false),
      suspended: clientSpec('suspended', true, { suspended: true }),
    }
    for (const [name, spec] of Object.entries(clients)) await this.world.applyClient(name, spec)
  }

  /** The number of the last announcement, when it is of what is published and everybody who is written to is known. */
  async #settled(): Promise<number | false> {
    const { progress } = await withOutbox(this.nats.url, ({ announcements }) => announcements.read())
    const { release } = (await this.world.published()).index
    if (progress.putting || progress.announced?.release !== release) return false
    // A set is ready before it is published: what the test before left may still be what everybody was told.
    for (const code of CODES) if ((await this.world.fee(rateSetName(code, '2026-2027'))) !== '10.00') return false
    return String(await this.cards()) === 'northside,sydney,victorian' && progress.announced.number
  }

  /** As workers do: every notice that waits is sent. */
  mailAll(): Promise<void> {
    return withOutbox(this.nats.url, async ({ mailboxes }) => {
      for (const [name, { mailbox, revision }] of await mailboxes.list()) {
        const { waiting } = mailbox
        if (!waiting) continue
        const sent = ended(mailbox, { ...waiting, accepted: ['somebody'] }, 0, new Date())
        await mailboxes.write(name, sent, revision)
      }
    })
  }

  charge(fee: string): Promise<void> {
    return this.world.applySet(inventedSet('AU_VIC', { fee }))
  }

  /** Waits until so many announcements were made in this test, then gives the notices that wait, by client. */
  announced(count: number): Promise<Notice[]> {
    return waitFor(
      `announcement ${count} of the test`,
      async () => {
        const found = await readOutbox(this.nats.url, this.key.trusted)
        return found.number === this.before + count && found.notices
      },
      { timeoutMs: 40_000 },
    )
  }

  /** The same, and has them mailed. */
  async mailed(count: number): Promise<Notice[]> {
    const notices = await this.announced(count)
    await this.mailAll()
    return notices
  }

  cards(): Promise<string[]> {
    return withOutbox(this.nats.url, async (outbox) => [...(await outbox.cards.list()).keys()].sort())
  }

  async metric(name: string): Promise<number> {
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await this.#metrics())?.[1])
  }

  async #metrics(): Promise<string> {
    return (await fetch(`${this.operator.healthUrl}/metrics`)).text()
  }

  /** Every place that many people read: the logs of all operators, the metrics, statuses, ConfigMaps and events. */
  async readByMany(): Promise<string[]> {
    const statuses = await this.world.list(CLIENTS)
    return [
      ...this.#logFiles.map((file) => readFileSync(file, 'utf8')),
      await this.#metrics(),
      JSON.stringify(statuses.map((each) => (each as { status?: object }).status)),
      JSON.stringify(await this.world.list('/api/v1/namespaces/driveaway/configmaps')),
      JSON.stringify(await this.world.list('/apis/events.k8s.io/v1/namespaces/driveaway/events')),
    ]
  }

  async stop(): Promise<void> {
    await this.world.stop()
    await this.nats.close()
    this.#folder.remove()
  }
}
