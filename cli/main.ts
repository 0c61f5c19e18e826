#!/usr/bin/env node
import { runCommand } from './run-command.ts'
import { terminal } from './terminal.ts'

// A reader such as `head` closes the pipe once it has enough; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCommand(process.argv.slice(2), terminal)
