import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/settings.ts'
import { takePictures } from './take-pictures.ts'

// The pictures of docs/explorer.md and of README.md: node tools/pictures/main.ts [FOLDER]
const [folder = join(root, 'docs/pictures')] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
for (const { file, bytes } of await takePictures(folder)) console.log(`${file}: ${Math.ceil(bytes / 1000)} KB`)
