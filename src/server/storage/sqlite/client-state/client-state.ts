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
