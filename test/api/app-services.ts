import { Registry } from 'prom-client'
import { createAudit } from '../../api/http/audit.ts'
import type { AppServices } from '../../api/http/frame.ts'
import { measure } from '../../api/http/measure.ts'
import { createLog, type Logger } from '../../runtime/log.ts'

/** What every application is made with, as the program makes it; by default with a log that nobody reads. */
export function appServices(registry = new Registry(), log: Logger = createLog({ name: 'test', level: 'silent' })) {
  return { log, measured: measure(registry), audit: createAudit(log, registry) } satisfies AppServices
}
