import { dialectOf } from '#server/storage/sql/dialect.ts'
import { insertProperties } from '#server/storage/sql/properties/write-properties.ts'
import { searchTextOf } from '#server/storage/sql/search/search-text-of.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import {
  type CopiedColumns,
  type CopiedTable,
  fingerprintsTable,
  insertRows,
  lastKey,
  metadataTable,
  pagesOf,
  type Row,
} from './library-rows.ts'

/** Copies the rows that the target does not have yet. Rows are copied in the order of their keys, a page at a time. */
export const copyTable = async (
  source: Db,
  target: Db,
  table: CopiedTable,
  columns: CopiedColumns,
  signal: AbortSignal,
): Promise<void> => {
  const names = columns.get(table.table) ?? []
  const after = await lastKey(target, table)
  for await (const rows of pagesOf(source, table, names, { after })) {
    signal.throwIfAborted()
    await target.transaction().execute(async (db) => {
      await insertRows(db, table.table, names, rows)
      if (table.table === 'boards') await indexBoards(db, rows)
    })
  }
}

const indexBoards = async (db: Db, rows: readonly Row[]): Promise<void> => {
  for (const { id, board_name } of rows)
    if (id !== UNCATEGORIZED) await dialectOf(db).indexBoard(db, Number(id), String(board_name))
}

/** Copies the rows of some images with their metadata, and fills the search index and properties as for new images. */
export const copyImageRows = async (
  source: Db,
  target: Db,
  images: readonly Row[],
  columns: CopiedColumns,
): Promise<void> => {
  await insertRows(target, 'images', columns.get('images') ?? [], images)
  const fileNames = new Map(images.map(({ id, file_name }) => [Number(id), textOf(file_name)]))
  const withoutMetadata = new Map(fileNames)
  const range = { after: Number(images[0]?.id) - 1, to: images.at(-1)?.id }
  const names = columns.get(metadataTable.table) ?? []
  for await (const rows of pagesOf(source, metadataTable, names, range)) {
    await insertRows(target, metadataTable.table, names, rows)
    const described = rows.map(({ image, normal, invokeai }) => {
      const id = Number(image)
      withoutMetadata.delete(id)
      const metadata = {
        normal: normal == null ? null : JSON.parse(String(normal)),
        invokeai: textOf(invokeai),
      }
      return { id, file_name: fileNames.get(id) ?? null, metadata }
    })
    const words = described.map((image) => ({ id: image.id, ...searchTextOf(image) }))
    await dialectOf(target).indexImages(target, words)
    await insertProperties(target, described)
  }
  const drawn = columns.get(fingerprintsTable.table) ?? []
  for await (const rows of pagesOf(source, fingerprintsTable, drawn, range))
    await insertRows(target, fingerprintsTable.table, drawn, rows)
  const metadata = { normal: null, invokeai: null }
  const words = [...withoutMetadata].map(([id, file_name]) => ({
    id,
    ...searchTextOf({ file_name, metadata }),
  }))
  if (words.length > 0) await dialectOf(target).indexImages(target, words)
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
