export { freePort, isPortFree } from '../../tools/stack/free-port.ts'
