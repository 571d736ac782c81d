import { sql } from 'kysely'
import { chosenCover } from '#server/storage/sql/boards/read-boards.ts'
import { categories, hexOf, origins } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { namedColumns, namedItemOf } from '#server/storage/sql/images/named-items.ts'
import { UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { tagNamesOfImage, tagsIn } from '#server/storage/sql/tags/tag-names-of.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

export const imagesToExport: Read<'exports.images'> = async (db, after, limit, boardIds) => {
  const rows = await db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .leftJoin('image_properties', 'image_properties.image', 'images.id')
    .select(namedColumns)
    .select(['images.id', 'boards.board_id', 'file_size'])
    .select(['content_hash', 'images.starred', 'category', 'origin', 'images.created_at'])
    .select(tagNamesOfImage(db).as('tag_names'))
    .select(['taken_at', 'session_id', 'node_id', 'invokeai', 'workflow', 'graph', 'poster_ms'])
    .select('is_animated')
    .where('images.id', '>', after)
    .where('images.deleted_at', 'is', null)
    // The unary plus keeps SQLite from reading and sorting every image for each page of an export.
    .where(dialectOf(db).unindexed('images.kind'), 'in', [0, 2])
    .$if(boardIds !== null, (query) => query.where(isOneOf(db, 'boards.board_id', boardIds ?? [])))
    .orderBy('images.id')
    .limit(limit)
    .execute()
  return rows.map(({ category, origin, tag_names, ...row }) => ({
    ...row,
    tags: tagsIn(tag_names),
    ...namedItemOf(row),
    content_hash: hexOf(row.content_hash),
    starred: row.starred === 1,
    is_animated: row.is_animated === 1,
    image_category: categories[category] ?? 'other',
    image_origin: origins[origin] ?? 'external',
  }))
}

export const countToExport: Read<'exports.count'> = async (db, boardIds) => {
  const { total } = await db
    .selectFrom('image_counts')
    .innerJoin('boards', 'boards.id', 'image_counts.board')
    .select(sql<number>`coalesce(sum(n), 0)`.as('total'))
    .where('kind', 'in', [0, 2])
    .$if(boardIds !== null, (query) => query.where(isOneOf(db, 'boards.board_id', boardIds ?? [])))
    .executeTakeFirstOrThrow()
  return total
}

export const boardsToExport: Read<'exports.boards'> = async (db) => {
  const rows = await db
    .selectFrom('boards')
    .select(['board_id', 'board_name', 'description', 'archived', 'starred', 'created_at'])
    .select(['board_visibility', 'position', chosenCover.as('cover_image_name')])
    .where('id', '!=', UNCATEGORIZED)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    archived: row.archived === 1,
    starred: row.starred === 1,
  }))
}
