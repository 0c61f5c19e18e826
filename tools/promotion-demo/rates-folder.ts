import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../stack/settings.ts'

const execute = promisify(execFile)

/** The change in docs/gitops.md: number plates of the ACT, and the examples that prove the figure. */
const change = {
  file: 'rates/sets/au-act/fy27.yaml',
  edits: [
    ['charge: { flat: "50" }', 'charge: { flat: "52" }'],
    ['about $50 in a record', 'about $52 in a record'],
    ['PLATES: "50.00"', 'PLATES: "52.00"'],
  ],
} as const

/** The overlays of the repository that stand for the two regions. */
export const overlays = { staging: 'rates/overlays/staging', production: 'rates/overlays/production-apac' } as const

/** Copies the rate sets and the overlays, so that the demonstration changes no file of the checkout. */
export function copyRates(folder: string): void {
  for (const path of ['rates/sets', ...Object.values(overlays)])
    cpSync(join(root, path), join(folder, path), { recursive: true })
}

/** Changes the figure and its examples; throws when the file no longer has the expected figure. */
export function changeFigure(folder: string): void {
  const path = join(folder, change.file)
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of change.edits) {
    if (!text.includes(from)) throw new Error(`${change.file} has no ${from}: the demonstration needs another change`)
    text = text.replaceAll(from, to)
  }
  writeFileSync(path, text)
}

/** Runs driveaway as a user would, in the folder of the copied rates. */
export async function driveaway(folder: string, args: string[], kubeconfig?: string): Promise<string> {
  const env = { ...process.env, ...(kubeconfig && { KUBECONFIG: kubeconfig }) }
  try {
    return (await execute(process.execPath, [join(root, 'cli/main.ts'), ...args], { cwd: folder, env })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`driveaway ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}
