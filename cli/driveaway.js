#!/usr/bin/env node
// The way in: plain JavaScript, so that an old Node says what it lacks in place of a syntax error.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  const { node } = process.versions
  process.stderr.write(`driveaway needs Node 24 or newer; this is Node ${node} (${process.execPath}).\n`)
  process.stderr.write('In the repository, after npm ci: ./driveaway, which brings its own.\n')
  process.exitCode = 3
} else {
  await stripInstalled()
  // Half of the time that a command needs to load is the stripping of types and the compilation.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('./main.ts')
}

// Node strips types, but not below node_modules, where an installed package stands (ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING).
async function stripInstalled() {
  const { registerHooks, stripTypeScriptTypes } = await import('node:module')
  const { readFileSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const here = new URL('..', import.meta.url).href
  if (!here.includes('/node_modules/')) return
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes('stripTypeScriptTypes')) emitWarning.call(process, warning, ...rest)
  }
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(here) || !url.endsWith('.ts')) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
