import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface ReceivedMail {
  from: string
  /** Whom the server was asked to deliver it to. */
  recipients: string[]
  email: Email
  /** The mail as it came in. */
  raw: Buffer
  isEncrypted: boolean
  user: string
}

/** How the server answers: a code other than 250 refuses. May be set at any time. */
export interface Answers {
  sender?: (address: string) => number | undefined
  /** `silence`: there is never an answer. */
  recipient?: (address: string) => number | 'silence' | undefined
  /** Called when all of a mail has come in, before its answer is given. */
  data?: (mail: ReceivedMail) => Promise<number | undefined> | number | undefined
}

export interface TestMailServer {
  port: number
  /** The file of its certificate, which is signed by itself. */
  caFile: string
  answers: Answers
  /** Mails that were answered with 250. */
  taken: ReceivedMail[]
  /** Mails of which all came in, whatever they were answered. */
  seen: ReceivedMail[]
  /** Takes no connection until `start`, on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export const MAIL_USER = 'mailer'
export const MAIL_PASSWORD = 'a-password-of-the-mail-server-0123456789'

/** A real SMTP server on a free port of loopback, with TLS by a certificate of its own and, unless told otherwise, a login. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const port = await freePort()
  const directory = temporaryDirectory('mail')
  const names = [
    { type: 7 as const, ip: '127.0.0.1' },
    { type: 2 as const, value: 'localhost' },
  ]
  const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: names }],
  })
  const caFile = join(directory.path, 'ca.crt')
  writeFileSync(caFile, pair.cert)
  const mail: Pick<TestMailServer, 'answers' | 'taken' | 'seen'> = { answers: {}, taken: [], seen: [] }
  const start = async () => {
    const server = new SMTPServer({ key: pair.private, cert: pair.cert, ...receiving(mail), ...options })
    // A client that is killed in the middle is no fault of the server's.
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await start()
  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  return Object.assign(mail, {
    ...{ port, caFile, stop },
    start: async () => void (server = await start()),
    close: async () => {
      await stop()
      directory.remove()
    },
  })
}

function receiving(mail: Pick<TestMailServer, 'answers' | 'taken' | 'seen'>): SMTPServerOptions {
  const answer = (code: number | undefined, address = '') =>
    code === undefined ? null : Object.assign(new Error(`<${address}> not now, or never`), { responseCode: code })
  return {
    closeTimeout: 200,
    onAuth: ({ username, password }, _session, done) => {
      if (username === MAIL_USER && password === MAIL_PASSWORD) return done(null, { user: username })
      return done(Object.assign(new Error('no'), { responseCode: 535 }))
    },
    onMailFrom: ({ address }, _session, done) => done(answer(mail.answers.sender?.(address), address)),
    onRcptTo: ({ address }, _session, done) => {
      const code = mail.answers.recipient?.(address)
      if (code !== 'silence') done(answer(code, address))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { envelope, secure, user } = session
        const raw = Buffer.concat(chunks)
        void PostalMime.parse(raw).then(async (email) => {
          const received: ReceivedMail = {
            from: envelope.mailFrom ? envelope.mailFrom.address : '',
            recipients: envelope.rcptTo.map(({ address }) => address),
            ...{ email, raw, isEncrypted: secure, user: String(user ?? '') },
          }
          mail.seen.push(received)
          const code = await mail.answers.data?.(received)
          if (code === undefined) mail.taken.push(received)
          done(answer(code))
        })
      })
    },
  }
}
