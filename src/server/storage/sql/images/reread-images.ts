import { sql } from 'kysely'
import { sidecarTextsIn } from '#server/core/intake/sidecar-texts.ts'
import {
  VERSION_WITHOUT_FINGERPRINT,
  VERSION_WITHOUT_PROPERTIES,
} from '#server/storage/metadata/reader-version.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import {
  type DrawnImage,
  replaceFingerprints,
} from '#server/storage/sql/likeness/write-fingerprints.ts'
import {
  type DescribedImage,
  deleteProperties,
  insertProperties,
} from '#server/storage/sql/properties/write-properties.ts'
import { searchTextOf, storedMetadata } from '#server/storage/sql/search/search-text-of.ts'
import type { Db, ImageMetadataTable } from '#server/storage/sql/tables.ts'
import type { Read, Write } from '#server/storage/sql/unit-types.ts'
import { columnsOfMetadata, metadataOf } from './insert-images.ts'

export const countOutdated: Read<'rereads.count'> = async (db, readerVersion) => {
  const { n } = await db
    .selectFrom('images')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('reader_version', '<', readerVersion)
    .executeTakeFirstOrThrow()
  return n
}

export const listOutdated: Read<'rereads.list'> = async (db, readerVersion, limit) => {
  const { rawMember } = dialectOf(db)
  const rows = await db
    .selectFrom('images')
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .select(['image_name', 'reader_version', 'poster_ms'])
    .select(rawMember('metadata').as('given'))
    .select(rawMember('sidecars').as('sidecars'))
    // Without a normal form, the metadata object is the only text, whatever its source was.
    .select(sql<string | null>`CASE WHEN normal IS NULL THEN invokeai END`.as('only'))
    .where('reader_version', '<', readerVersion)
    .orderBy('reader_version')
    .orderBy('images.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ image_name, reader_version, poster_ms, given, sidecars, only }) => ({
    imageName: image_name,
    needsMetadata: reader_version !== VERSION_WITHOUT_FINGERPRINT,
    posterMs: poster_ms,
    given: textIn(given) ?? only,
    sidecars: sidecarTextsIn(valueIn(sidecars)),
  }))
}

export const storeReread: Write<'rereads.store'> = async (db, _now, readerVersion, images) => {
  const read = new Map(images.map((image) => [image.imageName, image]))
  const rows = await db
    .selectFrom('images')
    .select(['id', 'image_name', 'file_name'])
    .where(isOneOf(db, 'image_name', [...read.keys()]))
    // Another process may have read an image meanwhile.
    .where('reader_version', '<', readerVersion)
    .execute()
  const changed: (ImageMetadataTable | { image: number })[] = []
  const words: ({ id: number } & ReturnType<typeof searchTextOf>)[] = []
  const described: DescribedImage[] = []
  const drawn: DrawnImage[] = []
  for (const { id, image_name, file_name } of rows) {
    const { read: found = null, fingerprint = null } = read.get(image_name) ?? {}
    if (fingerprint !== null) drawn.push({ id, fingerprint })
    if (found === null) continue
    const { metadata, isAnimated } = found
    await db
      .updateTable('images')
      .set({ ...columnsOfMetadata(metadata), is_animated: isAnimated ? 1 : 0 })
      .where('id', '=', id)
      .execute()
    const [row = { image: id }] = metadataOf(id, { metadata })
    if (await isStored(db, row)) continue
    changed.push(row)
    words.push({ id, ...searchTextOf({ file_name, metadata }) })
    described.push({ id, metadata })
  }
  await replaceMetadata(db, changed, words, described)
  await replaceFingerprints(db, drawn)
  const ids = rows.map(({ id }) => id)
  await db
    .updateTable('images')
    .set({ reader_version: readerVersion })
    .where(isOneOf(db, 'id', ids))
    .execute()
}

export const describeStored: Write<'rereads.describe'> = async (db, _now, limit) => {
  const ids = await db
    .selectFrom('images')
    .select('id')
    .where('reader_version', '=', VERSION_WITHOUT_PROPERTIES)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
    .then((rows) => rows.map(({ id }) => id))
  if (ids.length === 0) return 0
  await deleteProperties(db, ids)
  await insertProperties(db, await storedMetadata(db, ids))
  await db
    .updateTable('images')
    .set({ reader_version: VERSION_WITHOUT_PROPERTIES + 1 })
    .where(isOneOf(db, 'id', ids))
    .execute()
  await dialectOf(db).logReread(db, ids)
  return ids.length
}

/** Most images have the same metadata as before. Writing it again would fill the log of the database. */
const isStored = async (
  db: Db,
  row: Partial<ImageMetadataTable> & { image: number },
): Promise<boolean> => {
  const { image, invokeai = null, normal = null, workflow = null, graph = null } = row
  const same = (column: keyof ImageMetadataTable, text: string | null) =>
    text === null ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} = ${text}`
  const { rows } = await sql<{ is_same: boolean | number }>`
    SELECT ${same('invokeai', invokeai)} AND ${same('normal', normal)} AND
      ${same('workflow', workflow)} AND ${same('graph', graph)} AS is_same
    FROM images LEFT JOIN image_metadata ON image_metadata.image = images.id
    WHERE images.id = ${image}`.execute(db)
  return Boolean(rows[0]?.is_same)
}

const replaceMetadata = async (
  db: Db,
  changed: readonly (ImageMetadataTable | { image: number })[],
  words: Parameters<ReturnType<typeof dialectOf>['indexImages']>[1],
  described: readonly DescribedImage[],
): Promise<void> => {
  if (changed.length === 0) return
  const ids = changed.map(({ image }) => image)
  const { indexImages, unindexImages, logReread } = dialectOf(db)
  await db
    .deleteFrom('image_metadata')
    .where(isOneOf(db, 'image', ids))
    .execute()
  const full = changed.filter((row): row is ImageMetadataTable => 'normal' in row)
  if (full.length > 0) await db.insertInto('image_metadata').values(full).execute()
  await unindexImages(db, ids)
  await indexImages(db, words)
  await deleteProperties(db, ids)
  await insertProperties(db, described)
  await logReread(db, ids)
}

const valueIn = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

/** Returns the text of a JSON string. */
const textIn = (json: string | null): string | null => {
  const value = valueIn(json)
  return typeof value === 'string' ? value : null
}
