export { isEarlier } from '#runtime/kube/resource-version.ts'
