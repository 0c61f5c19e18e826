import { execFile, type ExecFileOptions } from 'node:child_process'

/** Runs a command and returns both outputs together; an error contains the command and its output. */
export function run(command: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const limits = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...options, ...limits }, (error, stdout, stderr) => {
      if (!error) return resolve(`${stdout}${stderr}`)
      const cause = error.code === 'ENOENT' ? `${command} is not installed` : `${stderr}${stdout}`
      reject(new Error(`${command} ${args.slice(0, 2).join(' ')}: ${cause.trim() || error.message}`, { cause: error }))
    })
  })
}
