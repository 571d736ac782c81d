import type { ImportCounts } from '#server/core/imports/active-imports.ts'
import { flagOf } from '#server/storage/sql/codes.ts'
import type { Read, Write } from '#server/storage/sql/unit-types.ts'

const countsOf = ({ is_counted, found, taken_in, linked, known, refused }: ImportCounts) => ({
  ...{ found, taken_in, linked, known, refused },
  is_counted: flagOf(is_counted),
})

export const addActiveImport: Write<'activeImports.add'> = async (db, _now, one) => {
  const { folder, import_id, source, boards, board_name, startedAt } = one
  await db.deleteFrom('imports_under_way').where('folder', '=', folder).execute()
  await db
    .insertInto('imports_under_way')
    .values({
      ...{ folder, import_id, source, boards, board_name },
      link: flagOf(one.link),
      watch: flagOf(one.watch),
      left_out: one.left_out ?? null,
      ...countsOf(one),
      started_at: startedAt,
    })
    .execute()
}

export const updateActiveImport: Write<'activeImports.update'> = async (
  db,
  _now,
  importId,
  counts,
) => {
  await db
    .updateTable('imports_under_way')
    .set(countsOf(counts))
    .where('import_id', '=', importId)
    .execute()
}

export const removeActiveImport: Write<'activeImports.remove'> = async (db, _now, importId) => {
  await db.deleteFrom('imports_under_way').where('import_id', '=', importId).execute()
}

export const listActiveImports: Read<'activeImports.list'> = async (db) => {
  const rows = await db
    .selectFrom('imports_under_way')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('import_id', 'desc')
    .execute()
  return rows.map(({ link, watch, is_counted, left_out, started_at, ...row }) => ({
    ...row,
    link: link === 1,
    watch: watch === 1,
    is_counted: is_counted === 1,
    ...(left_out !== null && { left_out }),
    startedAt: started_at,
  }))
}
