/** Starts the next queue item of a database, prints its ID, and renews its lease until it is killed. */
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'

const [, , url = '', leaseMs = ''] = process.argv
const { queue } = await openPostgresRecords({ url, isShared: true })
const started = await queue.startNext('cpu', Number(leaseMs))
if (started === null) throw new Error('No item is pending.')
const { item_id: itemId } = started.item
setInterval(() => queue.renew([itemId], Number(leaseMs)), Number(leaseMs) / 5)
console.log(itemId)
