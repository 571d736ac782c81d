import pg from 'pg'

/**
 * The keys of all advisory locks. Those of changes and of the migration belong to a transaction, the others to a connection.
 */

/** One transaction at a time changes records, so that each sees all earlier ones. SQLite works the same way. */
export const WRITER_LOCK = 7_305_801

/** Held by each process that uses a database: shared by several processes, or by one alone. */
export const PROCESS_LOCK = 7_305_802

/** Like `WRITER_LOCK`, for the tables of the queue: a queue item need not wait for a change of many images. */
export const QUEUE_LOCK = 7_305_803

/** Several processes may start at once. One of them creates the tables. */
export const MIGRATION_LOCK = 7_305_804

/** Held by the process that deletes the files of deleted images. */
export const REMOVAL_LOCK = 7_305_805

/** Held by the process that sweeps pending files and purges the trash. */
export const UPKEEP_LOCK = 7_305_806

/** Held by the process that reads the metadata of images again. */
export const REREAD_LOCK = 7_305_807

/** Lets PostgreSQL release the locks of a machine that lost its power or its network, within a minute. */
const NOTICE_DEAD_PEERS = [
  '-c tcp_keepalives_idle=20',
  '-c tcp_keepalives_interval=10',
  '-c tcp_keepalives_count=3',
].join(' ')

/** Opens a connection whose locks last until it ends, also because its process or the database died. */
export const connectForLock = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    options: NOTICE_DEAD_PEERS,
  })
  client.on('error', () => {}) // followed by `end`
  await client.connect()
  return client
}
