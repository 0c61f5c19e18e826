import type { V1ConfigMap } from '@kubernetes/client-node'
import { render, tellingClients, valuesOf } from '../charts/render.ts'
import { startTestNats, type TestNats } from './nats.ts'

/** Who has a login at the NATS of the chart. */
export type NatsUser = 'operator' | 'inventory' | 'worker' | 'backup' | 'admin'

const passwordOf = (user: string) => `password-of-${user}`

/**
 * A real nats-server with the logins of the chart and their rights. Whoever comes without a login, as a test itself does, is the
 * administrator.
 */
export async function startChartNats(): Promise<TestNats> {
  return startTestNats({ configuration: await chartLogins() })
}

/** The address at which a program of the chart opens that server. */
export const asUser = (url: string, user: NatsUser): string =>
  url.replace('nats://', `nats://${user}:${passwordOf(user)}@`)

/** The part of the chart's nats.conf that says who may do what, with passwords in the place of their variables. */
export async function chartLogins(): Promise<string> {
  const objects = await render('driveaway', 'p', [...valuesOf('production-eu'), ...tellingClients])
  const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata?.name === 'driveaway-nats')
  const block = /^authorization \{\n[^]*?^\}$/m.exec((map as V1ConfigMap).data!['nats.conf']!)![0]
  return `${block.replaceAll(/\$PASSWORD_OF_(\w+)/g, (_, user: string) => passwordOf(user.toLowerCase()))}\nno_auth_user: admin`
}
