export { waitFor, type WaitOptions } from '../../tools/stack/wait-for.ts'
