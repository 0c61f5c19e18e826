import { registerHooks } from 'node:module'
import { stripTypeScriptTypes } from 'node:module'
import { MUTANTS } from './list.ts'

// Loaded before a worker: puts the mutant that MUTANT names in place of the code that it changes, as it is loaded.

const mutant = MUTANTS.find(({ name }) => name === process.env['MUTANT'])
if (!mutant) throw new Error(`there is no mutant ${process.env['MUTANT']}`)
const { file, find, put } = mutant
const url = new URL(`../../../${file}`, import.meta.url).href

registerHooks({
  load: (loaded, context, next) => {
    const result = next(loaded, context)
    if (loaded !== url) return result
    const source = String(result.source)
    if (source.split(find).length !== 2) throw new Error(`${mutant.name}: ${file} has not exactly one ${find}`)
    return { ...result, format: 'module', source: stripTypeScriptTypes(source.replace(find, () => put)) }
  },
})
