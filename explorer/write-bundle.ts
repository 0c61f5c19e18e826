import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from './build.ts'
import { BUNDLE } from './page-files.ts'

// Writes the bundle beside the page, for an image that has no bundler.
writeFileSync(join(import.meta.dirname, 'page', BUNDLE), await buildPrograms())
