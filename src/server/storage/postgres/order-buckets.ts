import { type RawBuilder, sql } from 'kysely'
import type { ImageOrder } from '#contract/image.ts'
import { ALL_KINDS, categories, isVideoKind } from '#server/storage/sql/codes.ts'
import type { Db, Flag, Kind } from '#server/storage/sql/tables.ts'
import { numberFrom } from '#server/storage/sql/upkeep/repair.ts'
import type { Anchor, AnchoredPart, Positions } from '#server/storage/sql/views/anchors.ts'
import type { Bucket } from '#server/storage/sql/views/count-days.ts'
import { columnOf, type OrderKey } from '#server/storage/sql/views/order.ts'
import type { Range } from '#server/storage/sql/views/segments.ts'
import { walkQuery } from '#server/storage/sql/views/walk-index.ts'

/** The buckets of all boards have this number instead of the key of a board. */
export const ALL = -1

const FIRST_VIDEO_SLOT = 16

/** The slots of videos follow those of all categories: `kind` is at least 2. */
const slotOf = (category: number, kind: Kind, star: Flag) =>
  (isVideoKind(kind) ? FIRST_VIDEO_SLOT : category * 4) + kind * 2 + star

/** Computes the slot of a row of `images`. */
export const SLOT_OF_ROW = `CASE WHEN kind < 2 THEN category * 4 ELSE ${FIRST_VIDEO_SLOT} END + kind * 2 + starred`

const STARS: readonly Flag[] = [0, 1]

/** Returns the slots of some kinds and stars. Those of images are of some categories, those of videos of all. */
const slotsOf = (
  kinds: readonly Kind[],
  stars: readonly Flag[],
  chosen: readonly number[] = [...categories.keys()],
): number[] => {
  const slots = kinds.flatMap((kind) =>
    stars.flatMap((star) => chosen.map((category) => slotOf(category, kind, star))),
  )
  return [...new Set(slots)]
}

/** A bucket has a count for each category of images and one for videos, with or without intermediates, starred or not. */
export const SLOTS = slotsOf(ALL_KINDS, STARS)

/** Stored as index. */
export const ORDERS: readonly ImageOrder[] = ['created_at', 'taken_at', 'name', 'size']

/** Number of images of a new bucket. One with twice as many is divided. */
export const BUCKET_IMAGES = 4096

interface StoredAnchor {
  star: Flag
  value: string | number
  id: number
  count: number
}

/**
 * Positions from the counts of buckets, which triggers maintain: see the migrations `order-buckets` and
 * `video-buckets`. The anchors of a view are the borders of its buckets, so that a walk from an anchor stays inside one
 * bucket.
 */
export const bucketPositions = (db: Db, bucketImages: number): Positions => ({
  stride: 2 * bucketImages,
  add: () => {},
  around: async (part, from) => ({
    below: await lastAnchor(db, part, sql`count <= ${from}`),
  }),
  countUpTo: async (part, ranges, key) => {
    const anchor = await lastAnchor(db, part, isUpTo(part, key))
    const walked = await countWalked(db, part, ranges, anchor, {
      limit: 2 * bucketImages,
      isCounted: isUpTo(part, key),
    })
    return (anchor?.count ?? 0) + walked
  },
  buckets: async ({ selection, order, starred }) => {
    const { rows } = await sql<Bucket>`
      SELECT from_number AS value, from_id AS id, ${countOf({ selection }, starred)} AS count
      FROM order_buckets
      WHERE ord = ${ORDERS.indexOf(order.by)} AND scope = ${selection.board ?? ALL}
      ORDER BY from_number, from_id`.execute(db)
    return rows
  },
})

const lastAnchor = async (
  db: Db,
  part: AnchoredPart,
  isReached: RawBuilder<unknown>,
): Promise<Anchor | undefined> => {
  const { rows } = await sql<StoredAnchor>`
    SELECT star, value, id, count FROM (${anchorsOf(part)}) AS anchors
    WHERE ${isReached} ORDER BY at DESC LIMIT 1`.execute(db)
  return rows.map(({ star, value, id, count }) => ({ key: { starred: star, value, id }, count }))[0]
}

/** Walks a whole bucket: PostgreSQL does not end the scan of an index at a key of several columns. */
const countWalked = async (
  db: Db,
  { selection, order }: AnchoredPart,
  ranges: readonly Range[],
  anchor: Anchor | undefined,
  { limit, isCounted }: { limit: number; isCounted: RawBuilder<unknown> },
): Promise<number> => {
  const walk = { ...order, isBackwards: false }
  const route = { selection, ranges, walk, limit, ...(anchor && { after: anchor.key }) }
  const star = order.starredFirst ? sql`starred` : sql`0`
  const columns = sql`id, ${sql.ref(columnOf(order))} AS value, ${star} AS star`
  return numberFrom(
    db,
    sql`SELECT count(*) FROM (${walkQuery(db, route, columns)}) AS walked WHERE ${isCounted}`,
  )
}

/**
 * Returns the borders of the buckets of a part in its order, each as an anchor: its key, and the number of images up
 * to and including this key. Oldest first, a border comes before its bucket, so its key is just before the first one.
 */
const anchorsOf = (part: AnchoredPart): RawBuilder<unknown> => {
  const { selection, order } = part
  const isAscending = order.dir === 'ASC'
  const direction = isAscending ? sql`ASC` : sql`DESC`
  const value = sql.ref(valueColumnOf(part))
  const stars = starsOf(part).map(
    (
      star,
    ) => sql`SELECT ${star ?? 0}::int AS star, ${value} AS value, from_id, ${countOf(part, star)} AS n
      FROM order_buckets WHERE ord = ${ORDERS.indexOf(order.by)} AND scope = ${selection.board ?? ALL}`,
  )
  return sql`
    SELECT star, value, from_id ${isAscending ? sql`- 1` : sql``} AS id, row_number() OVER walk AS at,
      sum(n) OVER walk ${isAscending ? sql`- n` : sql``} AS count
    FROM (${sql.join(stars, sql` UNION ALL `)}) AS counts
    WINDOW walk AS (ORDER BY star DESC, value ${direction}, from_id ${direction} ROWS UNBOUNDED PRECEDING)`
}

/** null: both starred and unstarred images, in one order. */
const starsOf = ({ order, starred }: AnchoredPart): (Flag | null)[] => {
  if (starred !== null) return [starred]
  return order.starredFirst ? [1, 0] : [null]
}

/** Sums the counts of the chosen kinds of items. */
const countOf = (
  { selection: { kinds, categories } }: Pick<AnchoredPart, 'selection'>,
  star: Flag | null,
): RawBuilder<unknown> => {
  const slots = slotsOf(kinds, star === null ? STARS : [star], categories ?? undefined)
  return sql.join(
    slots.map((slot) => sql.ref(`slot${slot}`)),
    sql` + `,
  )
}

const isUpTo = (part: AnchoredPart, { starred, value, id }: OrderKey): RawBuilder<unknown> => {
  const compare = part.order.dir === 'ASC' ? sql`<=` : sql`>=`
  const isValue = sql`(value, id) ${compare} (${value}, ${id})`
  return part.order.starredFirst && part.starred === null
    ? sql`(star > ${starred} OR (star = ${starred} AND ${isValue}))`
    : isValue
}

const valueColumnOf = ({ order }: AnchoredPart) =>
  order.by === 'name' ? 'from_text' : 'from_number'
