import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailConfiguration } from './settings.ts'

/** What opens the SMTP server, and what it is known by. */
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

/** Reads the access as it is now; throws when a file that is named is not there. Files come before variables. */
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

/** Throws where mails are to be signed and the key is not there: an unsigned mail would be taken for a forgery. */
async function readDkimKey({ dkimDomain, dkimKeyFile, smtpSecretDirectory: directory }: Places): Promise<string> {
  if (dkimDomain === '') return ''
  return (await readFile(dkimKeyFile === '' ? join(directory, 'dkim.key') : dkimKeyFile, 'utf8')).trim()
}

async function fromDirectory(directory: string, name: string): Promise<string> {
  if (directory === '') return ''
  try {
    return (await readFile(join(directory, name), 'utf8')).trim()
  } catch (error) {
    // A server may take mail without a login, or have a certificate of a public authority.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const withoutEmpty = (access: Record<keyof Access, string>): Access =>
  Object.fromEntries(Object.entries(access).filter(([, value]) => value !== ''))
