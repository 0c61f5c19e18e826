import { execFile } from 'node:child_process'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './settings.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)

/** kubectl, and the kubeconfig it uses. */
export interface Kubectl {
  binary: string
  kubeconfig: string
}

/**
 * Applies a file, or all files below a folder, server-side as a GitOps tool would; returns the number of objects. With
 * `namespace`, all of them go there. Uses kubectl, because the client library drops every `x-kubernetes-…` field of a
 * definition.
 */
export async function apply(kubectl: Kubectl, path: string, namespace?: string): Promise<number> {
  // With kubectl's own field manager, a later `kubectl apply --server-side` by a user owns the same fields and meets
  // no conflict.
  const flags = ['--server-side', '--force-conflicts', '--recursive']
  const there = namespace === undefined ? [] : ['--namespace', namespace]
  const output = await call(kubectl, ['apply', ...flags, ...there, '--filename', path])
  return output.trim().split('\n').length
}

/** Waits until the API server serves every custom resource definition. */
export async function untilEstablished(kubectl: Kubectl): Promise<void> {
  // Right after the apply a definition has no status, and `kubectl wait` would fail instead of waiting.
  await waitFor('the custom resource definitions to be established', async () => {
    await call(kubectl, ['wait', 'crd', '--all', '--for=condition=Established', '--timeout=30s'])
    return true
  })
}

/** Runs kubectl and returns its output; an error contains its message. */
export async function call({ binary, kubeconfig }: Kubectl, args: string[]): Promise<string> {
  const access = ['--kubeconfig', kubeconfig, '--cache-dir', join(dirname(kubeconfig), 'kubectl-cache')]
  try {
    return (await run(binary, [...access, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const what = args.map((arg) => (arg.startsWith('/') ? relative(root, arg) : arg)).join(' ')
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`kubectl ${what}\n${stderr || message}`, { cause: error })
  }
}
