import type { Db } from '#server/storage/sqlite/tables.ts'
import { columnOf, type Order, type OrderKey } from './order.ts'

/** Where an image stands in an order. It is there while its row is, in the trash as well. */
export const getOrderKey = async (
  db: Db,
  imageName: string,
  order: Pick<Order, 'by'>,
): Promise<OrderKey | null> => {
  const row = await selectOrderKeys(db, order)
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  return row ?? null
}

export const selectOrderKeys = (db: Db, order: Pick<Order, 'by'>) =>
  db.selectFrom('images').select((eb) => ['id', 'starred', eb.ref(columnOf(order)).as('value')])
