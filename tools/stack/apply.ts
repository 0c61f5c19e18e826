import { execFile } from 'node:child_process'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './settings.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)

/** kubectl, and whom it speaks for. */
export interface Kubectl {
  binary: string
  kubeconfig: string
}

/**
 * Applies a file, or every file below a folder, server-side as a GitOps tool would, and returns how many objects there
 * were. With a `namespace` all of them go there. By kubectl and not by the client library: that one drops every
 * `x-kubernetes-…` field of a definition.
 */
export async function apply(kubectl: Kubectl, path: string, namespace?: string): Promise<number> {
  // kubectl's own field manager: a person's `kubectl apply --server-side` later owns the same fields, and conflicts with nobody.
  const flags = ['--server-side', '--force-conflicts', '--recursive']
  const there = namespace === undefined ? [] : ['--namespace', namespace]
  const output = await call(kubectl, ['apply', ...flags, ...there, '--filename', path])
  return output.trim().split('\n').length
}

/** Waits until the API server serves every custom resource that is defined. */
export async function untilEstablished(kubectl: Kubectl): Promise<void> {
  // Right after the apply a definition has no status yet, and then `kubectl wait` fails instead of waiting.
  await waitFor('the custom resource definitions to be established', async () => {
    await call(kubectl, ['wait', 'crd', '--all', '--for=condition=Established', '--timeout=30s'])
    return true
  })
}

/** Runs kubectl and returns what it prints; an error has what kubectl said. */
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
