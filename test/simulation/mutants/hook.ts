import { registerHooks } from 'node:module'
import { stripTypeScriptTypes } from 'node:module'
import { changesOf, MUTANTS, type Change } from './list.ts'

// Loaded before a worker: puts the mutant that MUTANT names in place of the code that it changes, as it is loaded.

const mutant = MUTANTS.find(({ name }) => name === process.env['MUTANT'])
if (!mutant) throw new Error(`there is no mutant ${process.env['MUTANT']}`)
const urlOf = ({ file }: Change) => new URL(`../../../${file}`, import.meta.url).href
const changes = Map.groupBy(changesOf(mutant), urlOf)

registerHooks({
  load: (loaded, context, next) => {
    const result = next(loaded, context)
    const here = changes.get(loaded)
    if (!here) return result
    const source = here.reduce((text, { file, find, put }) => {
      if (text.split(find).length !== 2) throw new Error(`${mutant.name}: ${file} has not exactly one ${find}`)
      return text.replace(find, () => put)
    }, String(result.source))
    return { ...result, format: 'module', source: stripTypeScriptTypes(source) }
  },
})
