import type { Records } from '#server/core/record-ports.ts'
import type { ReadCache } from './cache/read-cache.ts'
import type { Db } from './tables.ts'

/** The first argument of a reading unit of work that uses the cache. */
export interface Reading {
  /** A transaction, which sees one state of the library. */
  db: Db
  /** The cache of this thread, which outlives the transaction. */
  cache: ReadCache
  /** Buffers of the result that are moved to the main thread instead of copied. */
  transfer: ArrayBuffer[]
}

type Ports = Omit<Records, 'close'>

/** A method of a port, such as `boards.list`. */
type MethodName = {
  [Subject in keyof Ports]: `${Subject}.${keyof Ports[Subject] & string}`
}[keyof Ports]

type Method<Name> = Name extends `${infer Subject extends keyof Ports}.${infer Key}`
  ? Extract<Ports[Subject][Key & keyof Ports[Subject]], (...args: never) => unknown>
  : never

type Unit<Context extends unknown[], Name extends MethodName> = (
  ...args: [...Context, ...Parameters<Method<Name>>]
) => ReturnType<Method<Name>>

/** A unit of work that reads for a method of a port. */
export type Read<Name extends MethodName> = Unit<[db: Db], Name>

/** Like `Read`, with the cache. */
export type ReadView<Name extends MethodName> = Unit<[reading: Reading], Name>

/** A unit of work that writes for a method of a port. `now` is in milliseconds since 1970. */
export type Write<Name extends MethodName> = Unit<[db: Db, now: number], Name>
