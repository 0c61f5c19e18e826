import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailConfiguration } from './settings.ts'

/** Credentials and keys for the SMTP server. */
export interface Access {
  username?: string
  password?: string
  /** Certificates in PEM. */
  ca?: string
  /** The private key of DKIM in PEM. */
  dkimKey?: string
}

type Places = Pick<
  MailConfiguration,
  'smtpSecretDirectory' | 'smtpUsername' | 'smtpPassword' | 'smtpCaFile' | 'dkimDomain' | 'dkimKeyFile'
>

/** Reads the current access; throws when a named file does not exist. Files take precedence over variables. */
export async function readAccess(places: Places): Promise<Access> {
  const { smtpSecretDirectory: directory, smtpCaFile: caFile } = places
  const [username, password, ca, dkimKey] = await Promise.all([
    fromDirectory(directory, 'username'),
    fromDirectory(directory, 'password'),
    caFile === '' ? fromDirectory(directory, 'ca.crt') : readFile(caFile, 'utf8'),
    readDkimKey(places),
  ])
  return withoutEmpty({
    username: username || places.smtpUsername,
    password: password || places.smtpPassword,
    ca,
    dkimKey,
  })
}

/** Throws when mails are to be signed and the key does not exist: an unsigned mail would look like a forgery. */
async function readDkimKey({ dkimDomain, dkimKeyFile, smtpSecretDirectory: directory }: Places): Promise<string> {
  if (dkimDomain === '') return ''
  return (await readFile(dkimKeyFile === '' ? join(directory, 'dkim.key') : dkimKeyFile, 'utf8')).trim()
}

async function fromDirectory(directory: string, name: string): Promise<string> {
  if (directory === '') return ''
  try {
    return (await readFile(join(directory, name), 'utf8')).trim()
  } catch (error) {
    // A server may accept mail without a login, or have a certificate of a public authority.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const withoutEmpty = (access: Record<keyof Access, string>): Access =>
  Object.fromEntries(Object.entries(access).filter(([, value]) => value !== ''))
