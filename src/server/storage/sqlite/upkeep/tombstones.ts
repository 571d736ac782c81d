import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import type { Read, Write } from '#server/storage/sqlite/unit-types.ts'

export const listTombstones: Read<'upkeep.tombstones'> = async (db, limit) => {
  const rows = await db.selectFrom('tombstones').select('image_name').limit(limit).execute()
  return rows.map(({ image_name }) => image_name)
}

export const forgetTombstones: Write<'upkeep.forgetTombstones'> = async (db, _now, imageNames) => {
  await db.deleteFrom('tombstones').where('image_name', 'in', boundList(imageNames)).execute()
}
