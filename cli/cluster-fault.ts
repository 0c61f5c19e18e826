import { ServerFault } from './faults.ts'

/** Where a request of a command went. */
export interface AskedCluster {
  context: string
  server: string
  namespace: string
}

const TLS = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/

/** The fault of a cluster that refused or did not answer: the message names the cluster and says what to do, if that is known. */
export function clusterFault(error: unknown, asked: AskedCluster): ServerFault {
  const { message } = error as Error
  const advice = adviceFor(error as { status?: unknown; code?: unknown; name?: unknown }, asked)
  const where = `context ${asked.context} (${asked.server})`
  return new ServerFault(`${where}: ${message}${advice && `; ${advice}`}`, { cause: error })
}

function adviceFor({ status, code, name }: { status?: unknown; code?: unknown; name?: unknown }, asked: AskedCluster) {
  if (status === 401) return 'log in again'
  if (status === 403) return `ask for the right to list ratesets in the namespace ${asked.namespace}`
  if (status === 404) return 'has the cluster the kinds of driveaway-crds?'
  if (name === 'TimeoutError') return 'is this its address, and can this machine reach it?'
  if (TLS.test(String(code))) return 'check the certificate-authority of the cluster in KUBECONFIG'
  return ''
}
