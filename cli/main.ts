#!/usr/bin/env node
import { runCommand } from './run-command.ts'
import { terminal } from './terminal.ts'

// A reader that has seen enough, `head` for one, closes the pipe: the end of the output, not a fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCommand(process.argv.slice(2), terminal)
