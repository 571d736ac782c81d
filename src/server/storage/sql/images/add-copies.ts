import { sql } from 'kysely'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { noteAdditions } from '#server/storage/sql/boards/write-boards.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { copyFingerprints } from '#server/storage/sql/likeness/write-fingerprints.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import { indexStored } from '#server/storage/sql/search/search-text-of.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { nameKeyOf } from '#server/storage/sql/views/name-key.ts'
import { IMAGES_PER_STATEMENT } from './insert-images.ts'

type KeyPair = readonly [copy: number, original: number]

export const addCopies: Write<'images.addCopies'> = async (db, now, copies, boardId) => {
  const board = await getViewedBoardKey(db, boardId)
  if (board === null) return 'board_not_found'
  const originals = await db
    .selectFrom('images')
    .selectAll()
    .where(
      isOneOf(
        db,
        'image_name',
        copies.map(({ copy_of }) => copy_of),
      ),
    )
    .where('deleted_at', 'is', null)
    .execute()
  const byName = new Map(originals.map((row) => [row.image_name, row]))
  const rows = copies.flatMap(({ image_name, copy_of }) => {
    const original = byName.get(copy_of)
    if (original === undefined) return []
    const { id, ...known } = original
    const place = { board, left_board: null, created_at: now, updated_at: now }
    const dated_at = known.taken_at ?? now
    const name_key = nameKeyOf({ image_name, file_name: known.file_name })
    return [{ id, row: { ...known, ...place, dated_at, image_name, name_key, upload_id: null } }]
  })
  if (rows.length === 0) return []

  for (const part of inParts(rows, IMAGES_PER_STATEMENT)) {
    const inserted = await db
      .insertInto('images')
      .values(part.map(({ row }) => row))
      .returning(['id', 'image_name'])
      .execute()
    const ids = new Map(inserted.map(({ id, image_name }) => [image_name, id]))
    const pairs = part.map(({ id, row }): KeyPair => [ids.get(row.image_name) ?? 0, id])
    await copyMetadata(db, pairs)
    await copyFingerprints(db, pairs)
    await copyTags(db, pairs)
    const copied = pairs.map(([copy]) => copy)
    await indexStored(db, (select) => select.where(isOneOf(db, 'images.id', copied)))
  }
  await noteAdditions(db, now, [board])
  return rows.map(({ row }) => row.image_name)
}

/** Metadata can be megabytes per image, so it is copied inside the database. */
const copyMetadata = (db: Db, pairs: readonly KeyPair[]) =>
  sql`
    INSERT INTO image_metadata (image, invokeai, normal, workflow, graph)
    SELECT pair.c0, invokeai, normal, workflow, graph
    FROM ${dialectOf(db).rows(['integer', 'integer'], pairs)} AS pair
    JOIN image_metadata ON image = pair.c1`.execute(db)

/** Copies also the tags of an earlier state, which an undo restores. */
const copyTags = (db: Db, pairs: readonly KeyPair[]) =>
  sql`
    INSERT INTO image_tags (image, tag, had_other)
    SELECT pair.c0, tag, had_other
    FROM ${dialectOf(db).rows(['integer', 'integer'], pairs)} AS pair
    JOIN image_tags ON image = pair.c1`.execute(db)
