import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../../../notices/mailbox.ts'
import { openNoticeStore, type NoticeStore } from '../../../notices/store.ts'
import {
  MAIL_PASSWORD,
  MAIL_USER,
  startMailServer,
  type ReceivedMail,
  type TestMailServer,
} from '../../harness/mail-server.ts'
import { asUser } from '../../harness/chart-nats.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { startProgram, type RunningProgram } from '../../inventory/programs.ts'
import { aNotice, openedOutbox, STORAGE, type NumberedNotice, type OpenedOutbox } from '../../notices/opened-outbox.ts'

export const FROM = 'Rates of Test <rates@driveaway.example>'

/** A real nats-server, a real SMTP server, and real workers as they are deployed. */
export interface MailRig extends Omit<OpenedOutbox, 'put'> {
  store: NoticeStore
  mail: TestMailServer
  /** Starts a worker; its log is `logOf(name)`. */
  worker(name: string, env?: Record<string, string>): Promise<RunningProgram>
  logOf(name: string): string
  /** Puts a notice of its own for each name, to a client of its own unless one is named. */
  put(digest: string, over?: Partial<NumberedNotice>, to?: readonly string[]): Promise<NumberedNotice>
  /** Mails of a notice that the SMTP server took. */
  mailsOf(notice: NumberedNotice): ReceivedMail[]
  recordOf(notice: NumberedNotice): Promise<NoticeState | undefined>
}

/** What became of a notice so far; undefined once a later one is in its place. */
export type NoticeState = Omit<Ended, 'number' | 'digest' | 'state' | 'at'> & { state: Ended['state'] | 'waiting' }

export async function startMailRig(storage = STORAGE): Promise<MailRig> {
  const opened = await openedOutbox(storage)
  const mail = await startMailServer()
  const store = await openNoticeStore(opened.connection)
  const directory = temporaryDirectory('mail-rig')
  const running: RunningProgram[] = []
  const idOf = ({ digest }: NumberedNotice) => `<${digest}@driveaway.example>`
  let number = 1
  return {
    ...opened,
    ...{ store, mail },
    worker: async (name, env = {}) => {
      const settings = { ...environment(opened, mail, storage), ...env }
      const started = await startProgram({ name, entry: 'worker/main.ts', env: settings, directory: directory.path })
      running.push(started)
      return started
    },
    logOf: (name) => readFileSync(join(directory.path, `${name}.log`), 'utf8'),
    put: async (digest, over = {}, to) => {
      number++
      const notice = aNotice({ digest: digest.padEnd(64, '0'), client: `client-${digest}`, number, ...over })
      await opened.put(notice, to)
      return notice
    },
    mailsOf: (notice) => mail.taken.filter(({ email }) => email.messageId === idOf(notice)),
    recordOf: async ({ client, digest }) => {
      const { waiting, last } = (await store.mailboxes.read(client)).mailbox
      if (waiting?.digest === digest) {
        const { attempts, accepted, refused } = waiting
        return { state: 'waiting', attempts, accepted: accepted.length, refused: refused.length }
      }
      if (last?.digest !== digest) return undefined
      const { state, attempts, accepted, refused } = last
      return { state, attempts, accepted, refused }
    },
    close: async () => {
      await Promise.all(running.map((program) => program.kill()))
      await mail.close()
      await opened.close()
      directory.remove()
    },
  }
}

function environment(
  { nats, key }: OpenedOutbox,
  { port, caFile }: TestMailServer,
  storage: typeof STORAGE,
): Record<string, string> {
  return {
    NATS_URL: asUser(nats.url, 'worker'),
    NOTICES_TRUSTED_KEYS: key.trusted,
    NOTICES_SETTLE_SECONDS: '0',
    NOTICES_PER_DAY: '1000',
    NOTICES_STORE_MEGABYTES: String(storage.bytes / 1024 ** 2),
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_CA_FILE: caFile,
    SMTP_USERNAME: MAIL_USER,
    SMTP_PASSWORD: MAIL_PASSWORD,
    NOTICES_FROM: FROM,
    NOTICE_RETRY_SECONDS: '0.4',
    GRACE_SECONDS: '5',
    LOG_LEVEL: 'debug',
  }
}
