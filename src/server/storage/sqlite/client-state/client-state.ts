import type { Db } from '#server/storage/sqlite/tables.ts'

/** null: there is no value for this key. */
export const getClientState = async (db: Db, key: string): Promise<string | null> => {
  const row = await db
    .selectFrom('client_state')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? null
}

/** Stores a value. False: there are already `maxKeys` other keys, and nothing was changed. */
export const setClientState = async (
  db: Db,
  now: number,
  key: string,
  value: string,
  { maxKeys }: { maxKeys: number },
): Promise<boolean> => {
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

/** Lists the keys that begin with `prefix`, sorted. There are few, so all keys are read. */
export const listClientStateKeys = async (db: Db, prefix: string): Promise<string[]> => {
  const rows = await db.selectFrom('client_state').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key).filter((key) => key.startsWith(prefix))
}

/** Deletes the value of a key, or all values for null. */
export const deleteClientState = async (
  db: Db,
  _now: number,
  key: string | null,
): Promise<void> => {
  await db
    .deleteFrom('client_state')
    .$if(key !== null, (query) => query.where('key', '=', key))
    .execute()
}
