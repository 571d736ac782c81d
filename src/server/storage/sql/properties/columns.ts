import { type RawBuilder, sql } from 'kysely'
import { generatorIds } from '#contract/generators.ts'
import { imageMediaTypes } from '#contract/image-formats.ts'
import { videoMediaTypes } from '#contract/videos/video-formats.ts'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { forEachNumber } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'

/**
 * Values of one property by the id of the image, plus 1. 0: the image does not have the property. The array is of the
 * smallest type that holds all values: a million codes below 255 take 1 MB.
 */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

export const mediaTypes: readonly string[] = [...imageMediaTypes, ...videoMediaTypes]
export const shapes = ['landscape', 'portrait', 'square'] as const

/** Bits of the column `flags`. */
export const flags = { prompt: 1, workflow: 2, animated: 4, sound: 8, video: 16 } as const

/** Makes times before 1970 positive. */
export const TIME_OFFSET = 10 ** 14

/** Wider or higher images than this ratio are not square. */
const SQUARE = sql`101`

interface ColumnDefinition {
  from: 'images' | 'image_properties' | 'image_fingerprints'
  /** A whole number, not negative. null: the image does not have the property. */
  value: RawBuilder<number>
  /** True: the value changes after the image was added, except when its metadata is read again. Default: false. */
  canChange?: boolean
}

const codeIn = (column: string, values: readonly string[]): RawBuilder<number> => {
  const cases = values.map((value, code) => sql`WHEN ${sql.lit(value)} THEN ${sql.lit(code)}`)
  return sql`CASE ${sql.ref(column)} ${sql.join(cases, sql` `)} END`
}

const flagIf = (condition: string, flag: number) =>
  sql`CASE WHEN ${sql.raw(condition)} THEN ${sql.lit(flag)} ELSE 0 END`

/** The properties that are compared in memory. */
const definitions = {
  model: { from: 'image_properties', value: sql`model` },
  sampler: { from: 'image_properties', value: sql`sampler` },
  scheduler: { from: 'image_properties', value: sql`scheduler` },
  camera: { from: 'image_properties', value: sql`camera` },
  lens: { from: 'image_properties', value: sql`lens` },
  steps: { from: 'image_properties', value: sql`steps` },
  cfg: { from: 'image_properties', value: sql`cfg` },
  // Only the last 15 of up to 20 digits are exact in a number. Seeds that differ only before them do not occur. The zeros
  // are needed because `substr` of SQLite counts from the end if the start is negative.
  seed: {
    from: 'image_properties',
    value: sql`CAST(substr('000000000000000' || seed, length(seed) + 1) AS bigint)`,
  },
  generator: { from: 'images', value: codeIn('generator', generatorIds) },
  type: { from: 'images', value: codeIn('media_type', mediaTypes) },
  shape: {
    from: 'images',
    value: sql`CASE WHEN width * 100 > height * ${SQUARE} THEN 0
      WHEN height * 100 > width * ${SQUARE} THEN 1 ELSE 2 END`,
  },
  width: { from: 'images', value: sql`width` },
  height: { from: 'images', value: sql`height` },
  size: { from: 'images', value: sql`CASE WHEN width > height THEN width ELSE height END` },
  bytes: { from: 'images', value: sql`file_size` },
  duration: { from: 'images', value: sql`duration` },
  date: { from: 'images', value: sql`dated_at + ${sql.lit(TIME_OFFSET)}` },
  added: { from: 'images', value: sql`created_at + ${sql.lit(TIME_OFFSET)}` },
  flags: {
    from: 'images',
    value: sql`${sql.join(
      [
        flagIf('prompt_start IS NOT NULL', flags.prompt),
        flagIf('has_workflow = 1', flags.workflow),
        flagIf('is_animated = 1', flags.animated),
        flagIf('has_sound = 1', flags.sound),
        flagIf('kind IN (2, 3)', flags.video),
      ],
      sql` + `,
    )}`,
  },
  board: { from: 'images', value: sql`board`, canChange: true },
  hash_high: { from: 'image_fingerprints', value: sql`hash_high` },
  hash_low: { from: 'image_fingerprints', value: sql`hash_low` },
  colors_top: { from: 'image_fingerprints', value: sql`colors_top` },
  colors_middle: { from: 'image_fingerprints', value: sql`colors_middle` },
  colors_bottom: { from: 'image_fingerprints', value: sql`colors_bottom` },
  rating: { from: 'images', value: sql`rating`, canChange: true },
} as const satisfies Record<string, ColumnDefinition>

export type ColumnName = keyof typeof definitions

export const definitionOf = (name: ColumnName): ColumnDefinition => definitions[name]

/** Ids of images and, in the same order, their values. */
export interface ColumnPart {
  ids: Float64Array
  values: Float64Array
}

/** Returns a condition on the column that has the ids of images. */
type OfImages = (column: string) => RawBuilder<boolean>

const ofAll: OfImages = () => sql`TRUE`

/** Reads the values of images. */
export const readColumn = (
  db: Db,
  name: ColumnName,
  which: OfImages = ofAll,
): Promise<ColumnPart> => {
  const { from, value } = definitionOf(name)
  const image = from === 'images' ? 'id' : 'image'
  return readPairs(
    db,
    sql`SELECT ${sql.ref(image)} AS image, ${value} AS value FROM ${sql.table(from)}
      WHERE ${value} IS NOT NULL AND ${which(image)}`,
  )
}

/** Reads the images of LoRAs. An image is in it once for each LoRA. */
export const readLoras = (db: Db, which: OfImages = ofAll): Promise<ColumnPart> =>
  readPairs(db, sql`SELECT image, lora AS value FROM image_loras WHERE ${which('image')}`)

/** Reads the images of tags, as of LoRAs. Deleted and merged tags are included. */
export const readTags = (db: Db, which: OfImages = ofAll): Promise<ColumnPart> =>
  readPairs(db, sql`SELECT image, tag AS value FROM image_tags WHERE ${which('image')}`)

/** Reads two columns as two values: a million rows as objects take a second. */
const readPairs = async (db: Db, query: RawBuilder<unknown>): Promise<ColumnPart> => {
  const { joined } = dialectOf(db)
  const { rows } = await sql<{ ids: string | null; given: string | null }>`
    SELECT ${joined('image')} AS ids, ${joined('value')} AS given FROM (${query}) AS found`.execute(
    db,
  )
  const { ids = null, given = null } = rows[0] ?? {}
  return { ids: numbersIn(ids ?? ''), values: numbersIn(given ?? '') }
}

const numbersIn = (text: string): Float64Array => {
  let count = text === '' ? 0 : 1
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) count += 1
  const numbers = new Float64Array(count)
  let index = 0
  forEachNumber(text, (number) => {
    numbers[index++] = number
  })
  return numbers
}

/** The types of columns, smallest first, with their largest value. */
const columnTypes = [
  { Type: Uint8Array, most: 2 ** 8 - 1 },
  { Type: Uint16Array, most: 2 ** 16 - 1 },
  { Type: Uint32Array, most: 2 ** 32 - 1 },
  { Type: Float64Array, most: Number.MAX_SAFE_INTEGER },
] as const

const mostIn = (column: Column): number =>
  columnTypes.find(({ Type }) => column instanceof Type)?.most ?? 0

/** Returns a column with the values of a part. Replaces `known` by a larger one, or else changes it in place. */
export const withPart = (known: Column | null, { ids, values }: ColumnPart): Column => {
  let last = 0
  let most = 0
  for (let at = 0; at < ids.length; at += 1) {
    last = Math.max(last, ids[at] ?? 0)
    most = Math.max(most, (values[at] ?? 0) + 1)
  }
  let column = known ?? new Uint8Array()
  if (last >= column.length || most > mostIn(column)) {
    const length = last < column.length ? column.length : Math.ceil((last + 1) * 1.05)
    const needed = Math.max(most, mostIn(column))
    const { Type } = columnTypes.find((type) => needed <= type.most) ?? columnTypes[3]
    const larger = new Type(length)
    larger.set(column)
    column = larger
  }
  for (let at = 0; at < ids.length; at += 1) column[ids[at] ?? 0] = (values[at] ?? 0) + 1
  return column
}

/** Pairs of image and LoRA or tag, one after the other. */
export const withPairs = (known: Column | null, { ids, values }: ColumnPart): Uint32Array => {
  const before = known?.length ?? 0
  const pairs = new Uint32Array(before + 2 * ids.length)
  if (known !== null) pairs.set(known)
  for (let at = 0; at < ids.length; at += 1) {
    pairs[before + 2 * at] = ids[at] ?? 0
    pairs[before + 2 * at + 1] = values[at] ?? 0
  }
  return pairs
}

/** Returns the pairs without those of some images. */
export const withoutImages = (
  pairs: Column,
  isRemoved: (image: number) => boolean,
): Uint32Array => {
  const remaining = new Uint32Array(pairs.length)
  let length = 0
  for (let at = 0; at < pairs.length; at += 2) {
    if (isRemoved(pairs[at] ?? 0)) continue
    remaining[length++] = pairs[at] ?? 0
    remaining[length++] = pairs[at + 1] ?? 0
  }
  return remaining.slice(0, length)
}
