import type { Read, Write } from '#server/storage/sql/unit-types.ts'

export const getClientState: Read<'clientState.get'> = async (db, key) => {
  const row = await db
    .selectFrom('client_state')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? null
}

export const setClientState: Write<'clientState.set'> = async (
  db,
  now,
  key,
  value,
  { maxKeys },
) => {
  const { others } = await db
    .selectFrom('client_state')
    .select((select) => select.fn.countAll<number>().as('others'))
    .where('key', '!=', key)
    .executeTakeFirstOrThrow()
  if (others >= maxKeys) return false
  await db
    .insertInto('client_state')
    .values({ key, value, updated_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now }))
    .execute()
  return true
}

/** There are few keys, so all are read. */
export const listClientStateKeys: Read<'clientState.keys'> = async (db, prefix) => {
  const rows = await db.selectFrom('client_state').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key).filter((key) => key.startsWith(prefix))
}

export const deleteClientState: Write<'clientState.delete'> = async (db, _now, key) => {
  await db
    .deleteFrom('client_state')
    .$if(key !== null, (query) => query.where('key', '=', key))
    .execute()
}
