import type { Context } from 'koa'
import type { InventoryStore } from '#inventory/store.ts'
import type { Logger } from '#runtime/log.ts'
import type { ContractOperation } from '../http/contract.ts'

/** Who calls: verified, granted, not suspended. */
export interface Caller {
  clientId: string
  /** Of the client as it was made: another one when it is deleted and made anew. */
  uid: string
}

/** What an operation is run with. */
export interface OperationServices {
  contract: ContractOperation
  /** Throws `not_ready` while there is none. */
  store: () => InventoryStore
  log: Logger
}

/** Makes the handler of one operation of the contract; it answers in the context or throws ApiError. */
export type Operation = (services: OperationServices) => (ctx: Context, caller: Caller) => Promise<void>
