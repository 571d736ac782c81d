import type { Db } from '#server/storage/sqlite/tables.ts'

/** null: nothing is kept under this key. */
export const getClientState = async (db: Db, key: string): Promise<string | null> => {
  const row = await db
    .selectFrom('client_state')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? null
}

/** False: there are `maxKeys` others already, and nothing was changed. */
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

/** The keys that begin with `prefix`, in order. There are few, so all are read. */
export const listClientStateKeys = async (db: Db, prefix: string): Promise<string[]> => {
  const rows = await db.selectFrom('client_state').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key).filter((key) => key.startsWith(prefix))
}

/** Deletes what is kept under a key, or everything for null. */
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
