import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Notice } from '../../../notices/notice.ts'
import type { DeliveryRecord } from '../../../notices/deliveries.ts'
import { openNoticeStore, type NoticeStore } from '../../../notices/store.ts'
import {
  MAIL_PASSWORD,
  MAIL_USER,
  startMailServer,
  type ReceivedMail,
  type TestMailServer,
} from '../../harness/mail-server.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { startProgram, type RunningProgram } from '../../inventory/programs.ts'
import { aNotice, openedOutbox, STORAGE, type OpenedOutbox } from '../../notices/opened-outbox.ts'

export const FROM = 'Rates of Test <rates@driveaway.example>'

/** A real nats-server, a real SMTP server, and real workers as they are deployed. */
export interface MailRig extends OpenedOutbox {
  store: NoticeStore
  mail: TestMailServer
  /** Starts a worker; its log is `logOf(name)`. */
  worker(name: string, env?: Record<string, string>): Promise<RunningProgram>
  logOf(name: string): string
  /** Puts a notice of its own for each name. */
  put(digest: string, over?: Partial<Notice>): Promise<Notice>
  /** Mails of a notice that the SMTP server took. */
  mailsOf(notice: Notice): ReceivedMail[]
  recordOf(notice: Notice, replay?: number): Promise<DeliveryRecord | undefined>
}

export async function startMailRig(): Promise<MailRig> {
  const opened = await openedOutbox()
  const mail = await startMailServer()
  const store = await openNoticeStore(opened.connection)
  const directory = temporaryDirectory('mail-rig')
  const running: RunningProgram[] = []
  const idOf = ({ digest }: Notice) => `<${digest}@driveaway.example>`
  return {
    ...opened,
    ...{ store, mail },
    worker: async (name, env = {}) => {
      const settings = { ...environment(opened.nats.url, mail), ...env }
      const started = await startProgram({ name, entry: 'worker/main.ts', env: settings, directory: directory.path })
      running.push(started)
      return started
    },
    logOf: (name) => readFileSync(join(directory.path, `${name}.log`), 'utf8'),
    put: async (digest, over = {}) => {
      const notice = aNotice({ digest: digest.padEnd(64, '0'), ...over })
      await opened.outbox.put(notice)
      return notice
    },
    mailsOf: (notice) => mail.taken.filter(({ email }) => email.messageId === idOf(notice)),
    recordOf: async ({ client, digest }, replay = 0) =>
      (await store.deliveries.read({ client, digest, replay }))?.record,
    close: async () => {
      await Promise.all(running.map((program) => program.kill()))
      await mail.close()
      await opened.close()
      directory.remove()
    },
  }
}

function environment(natsUrl: string, { port, caFile }: TestMailServer): Record<string, string> {
  return {
    NATS_URL: natsUrl,
    NOTICES_STORE_MEGABYTES: String(STORAGE.bytes / 1024 ** 2),
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
