import type { Logger } from '#runtime/log.ts'
import { natsAccess } from '#runtime/nats/settings.ts'
import type { Configuration } from '../configuration.ts'
import { createDecisionLog, NO_DECISION_LOG, type DecisionLog, type DecisionLogOptions } from './decision-log.ts'
import { fileDestination } from './file-destination.ts'
import { jetStreamDestination } from './jetstream-destination.ts'

const MEGABYTE = 1024 * 1024

/** The decision log that the settings name; none where they name none. */
export function decisionsOf(
  configuration: Readonly<Configuration>,
  { log, ...others }: Pick<DecisionLogOptions, 'registry' | 'clock'> & { log: Logger },
): DecisionLog {
  const { decisionLog, decisionLogOneIn: oneIn, decisionLogMegabytes } = configuration
  const [, kind, at = ''] = /^(file|nats):(.*)$/.exec(decisionLog) ?? []
  if (kind === undefined) return NO_DECISION_LOG
  // Two files: the one that is written, and the one before it.
  const destination =
    kind === 'file'
      ? fileDestination(at, (decisionLogMegabytes * MEGABYTE) / 2)
      : jetStreamDestination({
          ...natsAccess(configuration),
          log,
          subject: at,
          maxBytes: decisionLogMegabytes * MEGABYTE,
        })
  return createDecisionLog({ destination, oneIn, log, ...others })
}
