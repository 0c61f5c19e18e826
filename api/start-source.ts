import type { Registry } from 'prom-client'
import { KubeConfig } from '#runtime/kube/kube-config.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import type { Configuration } from './configuration.ts'
import { startDirectorySource } from './load/directory-source.ts'
import { followNoticePages, type NoticePagesOptions } from './load/follow-notice-pages.ts'
import type { Holder, Part } from './load/held.ts'
import { startKubernetesSource } from './load/kubernetes-source.ts'
import { showContact } from './load/load-metrics.ts'
import type { Source } from './load/source.ts'
import { followKeptReleases } from './releases/kept-releases.ts'

interface SourceOptions {
  configuration: Readonly<Configuration>
  log: Logger
  registry: Registry
  holder: Holder
}

/** Follows the rates, the clients and the keys where the configuration says that they are. */
export function startSource(
  { configuration, log, registry, holder }: SourceOptions,
  parts: readonly Part[],
): Source | Promise<Source> {
  if (configuration.ratesSource === 'directory') {
    const { ratesDirectory: directory, clientsFile } = configuration
    return startDirectorySource({ directory, clientsFile: clientsFile || undefined, holder, parts })
  }
  const kubeConfig = new KubeConfig()
  if (configuration.kubeconfig) kubeConfig.loadFromFile(configuration.kubeconfig)
  else kubeConfig.loadFromDefault()
  const [kube, { namespace }] = [kubeOf(kubeConfig), configuration]
  const source = startKubernetesSource({
    kube,
    namespace,
    holder,
    log,
    registry,
    parts,
    signs: configuration.serve !== 'inventory',
  })
  showContact(registry, source.lastContact)
  return configuration.serve === 'inventory' ? source : withKept(source, { kube, namespace, log, registry })
}

/** Adds the texts of notices and the kept releases to a source: only the pricing program answers with them. */
function withKept(source: Source, options: NoticePagesOptions): Source {
  const noticePages = followNoticePages(options)
  const keptReleases = followKeptReleases(options)
  const stop = async () => void (await Promise.all([source, noticePages, keptReleases].map((each) => each.stop())))
  return { ...source, noticePages, keptReleases, stop }
}
