import { type Selectable, sql } from 'kysely'
import { BoundedMap } from '#server/storage/sql/bounded-map.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db, Flag, ImageChangesTable, ImagesTable } from '#server/storage/sql/tables.ts'
import type { Bucket } from './count-days.ts'
import { columnOf, isBefore, type Order, type OrderKey } from './order.ts'
import type { Range } from './segments.ts'
import type { Selection } from './selection.ts'

/** Number of images between two anchors. Skipping this many in an index takes a fraction of a millisecond. */
const STRIDE = 4_096

/** Views with anchors. A million images have up to 500 anchors in each view. */
const MAX_VIEWS = 64

/** After more changes, all anchors are dropped: applying them would cost more than walking the index again. */
const MAX_APPLIED = 500

/** A known position in the order of a view. */
export interface Anchor {
  /** Key of an image that existed when the anchor was created. It may have left the view. */
  key: OrderKey
  /** The number of images up to and including this key. */
  count: number
}

/** A part of a view that is in the order of one index walk. */
export interface AnchoredPart {
  selection: Selection
  order: Order
  /** null: both starred and unstarred images. */
  starred: Flag | null
}

/** Finds known positions, so that a page far into a view needs only a short walk. */
export interface Positions {
  /** A walk of this many images is short. After it, a position is worth remembering. */
  readonly stride: number
  /** Returns the last anchor with at most `from` images, and the first with more than `to`. */
  around(part: AnchoredPart, from: number, to: number): Promise<NearAnchors>
  /** Counts the images of a part up to and including one of them. Absent: a walk to an end counts them. */
  countUpTo?(part: AnchoredPart, ranges: readonly Range[], key: OrderKey): Promise<number>
  /** Returns the counted buckets of a part that is in the order of dates, oldest first. Absent: there are none. */
  buckets?(part: AnchoredPart): Promise<Bucket[]>
  /** Remembers an anchor. */
  add(part: AnchoredPart, anchor: Anchor): void
}

export interface NearAnchors {
  below?: Anchor | undefined
  above?: Anchor | undefined
}

type Place = Pick<ImagesTable, 'board' | 'kind' | 'starred'>

type LoggedChange = Pick<ImageChangesTable, 'image' | keyof Place>

type CurrentRow = Pick<
  Selectable<ImagesTable>,
  'id' | 'deleted_at' | ReturnType<typeof columnOf> | keyof Place
>

/** `before` is null for an image that was in no view. */
interface Change {
  before: Place | null
  row: CurrentRow
}

/**
 * Caches the number of images before some positions of a view. A page far into the view can then be reached from the
 * nearest anchor instead of from the end of the view. The log of changes keeps the counts correct.
 */
export class Anchors implements Positions {
  readonly stride: number
  #seq = -1
  readonly #parts = new BoundedMap<string, { part: AnchoredPart; anchors: Anchor[] }>(MAX_VIEWS)

  constructor(stride = STRIDE) {
    this.stride = stride
  }

  /** Updates the counts to the state of a transaction. */
  async sync(db: Db, log: { first: number; last: number }): Promise<void> {
    if (this.#seq === log.last) return
    const isLogWhole = log.first <= this.#seq + 1 && log.last - this.#seq <= MAX_APPLIED
    const parts = this.#parts.entries()
    const changes = isLogWhole && parts.length > 0 ? await readChanges(db, this.#seq) : null
    if (changes === null) this.#parts.clear()
    else for (const [, { part, anchors }] of parts) applyChanges(part, anchors, changes)
    this.#seq = log.last
  }

  async around(part: AnchoredPart, from: number, to: number): Promise<NearAnchors> {
    const anchors = this.#of(part)
    return {
      below: anchors[firstWhere(anchors, ({ count }) => count > from) - 1],
      above: anchors[firstWhere(anchors, ({ count }) => count > to)],
    }
  }

  /** Returns the anchors of a part, ascending. */
  #of(part: AnchoredPart): Anchor[] {
    const { selection, order, starred } = part
    const id = JSON.stringify([selection.board, selection.kinds, order, starred])
    const known = this.#parts.get(id) ?? { part, anchors: [] }
    this.#parts.set(id, known)
    return known.anchors
  }

  /** Adds an anchor unless another one is close. */
  add(part: AnchoredPart, anchor: Anchor): void {
    const anchors = this.#of(part)
    const at = firstWhere(anchors, ({ count }) => count >= anchor.count)
    const isNear = (other: Anchor | undefined) =>
      other !== undefined && Math.abs(other.count - anchor.count) < this.stride / 2
    if (isNear(anchors[at - 1]) || isNear(anchors[at])) return
    anchors.splice(at, 0, anchor)
  }
}

const firstWhere = <T>(list: readonly T[], isReached: (item: T) => boolean): number => {
  let from = 0
  let to = list.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const item = list[middle]
    if (item === undefined || isReached(item)) to = middle
    else from = middle + 1
  }
  return from
}

const applyChanges = (part: AnchoredPart, anchors: Anchor[], changes: readonly Change[]): void => {
  const steps = new Int32Array(anchors.length + 1)
  const count = (place: Place | null, row: CurrentRow, step: number) => {
    if (place === null || !isIn(part, place)) return
    const key = { starred: place.starred, value: row[columnOf(part.order)] ?? 0, id: row.id }
    const at = firstWhere(anchors, (anchor) => !isBefore(anchor.key, key, part.order))
    steps[at] = (steps[at] ?? 0) + step
  }
  for (const { before, row } of changes) {
    count(before, row, -1)
    if (row.deleted_at === null) count(row, row, 1)
  }
  let sum = 0
  for (const [at, anchor] of anchors.entries()) {
    sum += steps[at] ?? 0
    anchor.count += sum
  }
}

const isIn = ({ selection, starred }: AnchoredPart, place: Place): boolean =>
  (selection.board === null || selection.board === place.board) &&
  selection.kinds.includes(place.kind) &&
  (starred === null || starred === place.starred)

/** null: an image was removed from a view and its row was deleted, so that its position is unknown. */
const readChanges = async (db: Db, seq: number): Promise<Change[] | null> => {
  const { rows: log } = await sql<LoggedChange>`
    SELECT image, board, kind, starred FROM image_changes
    WHERE seq > ${seq} ORDER BY seq`.execute(db)
  const before = new Map<number, Place | null>()
  for (const change of log) {
    const { image } = change
    const place = placeOf(change)
    if (image < 0 && (place !== null || before.get(-image) != null)) return null
    if (image > 0 && !before.has(image)) before.set(image, place)
  }
  const { rows } = await sql<CurrentRow>`
    SELECT id, board, kind, starred, deleted_at, created_at, dated_at, name_key, file_size, duration
    FROM images WHERE ${isOneOf(db, 'id', [...before.keys()])}`.execute(db)
  return rows.map((row) => ({ before: before.get(row.id) ?? null, row }))
}

const placeOf = ({ board, kind, starred }: LoggedChange): Place | null =>
  board === null || kind === null || starred === null ? null : { board, kind, starred }
