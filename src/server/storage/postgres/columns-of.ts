import { isOneOf } from '#server/storage/sql/dialect.ts'
import {
  type Column,
  type ColumnName,
  readColumn,
  readLoras,
  readTags,
  withoutImages,
  withPairs,
  withPart,
} from '#server/storage/sql/properties/columns.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Remember } from './results.ts'

/** Returns the values of all images, also of those in the trash. */
export const columnOf = (db: Db, remember: Remember, name: ColumnName): Promise<Column> =>
  remember<Column>(
    `column ${name}`,
    async () => withPart(null, await readColumn(db, name)),
    async (known, changed) => {
      const column = known.slice()
      for (const id of changed) if (id < column.length) column[id] = 0
      const part = await readColumn(db, name, (image) => isOneOf(db, image, [...changed]))
      return withPart(column, part)
    },
  )

/** Returns pairs of image and LoRA. */
export const lorasOf = (db: Db, remember: Remember): Promise<Uint32Array> =>
  pairsOf(db, remember, 'loras', readLoras)

/** Returns pairs of image and tag. Deleted and merged tags are included. */
export const tagsOf = (db: Db, remember: Remember): Promise<Uint32Array> =>
  pairsOf(db, remember, 'tags', readTags)

const pairsOf = (
  db: Db,
  remember: Remember,
  key: string,
  read: typeof readTags,
): Promise<Uint32Array> =>
  remember<Uint32Array>(
    key,
    async () => withPairs(null, await read(db)),
    async (known, changed) =>
      withPairs(
        withoutImages(known, (image) => changed.has(image)),
        await read(db, (image) => isOneOf(db, image, [...changed])),
      ),
  )
