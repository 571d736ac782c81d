import type { View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { Column, ColumnName } from '#server/storage/sql/properties/columns.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import type { Db } from './tables.ts'

/** The first argument of a unit of work that reads a view. */
export interface ViewReading {
  /** A transaction, which sees one state of the library. */
  db: Db
  /** Buffers of the result that are moved to the main thread instead of copied. */
  transfer: ArrayBuffer[]
  openView(view: View): Promise<OpenedView>
  /** Returns the ids of a view in any order. */
  idsIn(view: View): Promise<Uint32Array>
  /** Returns the ratios of images, in the order of the ids. */
  ratios(ids: Uint32Array): Promise<Uint8Array>
  /** Returns the values of all images, also of those in the trash. */
  column(name: ColumnName): Promise<Column>
  /** Returns pairs of image and LoRA. */
  loras(): Promise<Uint32Array>
  /** Returns pairs of image and tag. Deleted and merged tags are included. */
  tags(): Promise<Uint32Array>
  /** Returns a result that is known since the last change of the library, or computes it. */
  remember(key: string, work: () => Promise<Float64Array>): Promise<Float64Array>
}

/** The first argument of a unit of work that repairs the database. */
export interface Repairing {
  db: Db
  /** Creates missing indexes and triggers, and rebuilds all indexes. */
  repairSchema(): Promise<void>
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

/** Like `Read`, for a view. */
export type ReadView<Name extends MethodName> = Unit<[reading: ViewReading], Name>

/** A unit of work that writes for a method of a port. `now` is in milliseconds since 1970. */
export type Write<Name extends MethodName> = Unit<[db: Db, now: number], Name>
