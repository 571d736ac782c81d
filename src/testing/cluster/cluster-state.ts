import { createHash } from 'node:crypto'
import pg from 'pg'
import type { TesseraClient } from '#client/index.ts'
import { Bucket } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import type { Cluster } from './cluster.ts'
import { type Found, TRASH } from './writer.ts'

/** Reads the state of every image through the proxy. @throws An image is in two places. */
export const findImages = async (client: TesseraClient): Promise<Map<string, Found>> => {
  const found = new Map<string, Found>()
  const put = (name: string, state: Found) => {
    const other = found.get(name)
    if (other) throw new Error(`${name} is in ${other.place} and in ${state.place}`)
    found.set(name, state)
  }
  for (const { board_id } of await client.boards.listBoards({ includeUncategorized: true })) {
    const { items } = await client.images.page({ boardId: board_id }, { offset: 0, limit: -1 })
    for (const { image_name, starred } of items)
      put(image_name, { place: board_id, isStarred: starred })
  }
  const trash = await client.trash.list({ offset: 0, limit: 1000 })
  for (const { image_name, starred } of trash.items)
    put(image_name, { place: TRASH, isStarred: starred })
  return found
}

/** Returns images whose bytes are not the uploaded ones. */
export const findDamaged = async (
  client: TesseraClient,
  hashes: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const damaged: string[] = []
  for (const [name, hash] of hashes) {
    const bytes = await new Response(await client.images.stream(name)).bytes()
    if (createHash('sha256').update(bytes).digest('hex') !== hash) damaged.push(name)
  }
  return damaged
}

/**
 * Compares database and bucket, and returns what does not fit: a record without its object, an object that neither a
 * record, a pending upload nor a deletion explains, a counter that differs from a recount.
 */
export const findTorn = async ({ databaseUrl, filesUrl }: Cluster): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=tessera' })
  await client.connect()
  const bucket = new Bucket(parseFilesUrl(filesUrl))
  try {
    const column = async (statement: string): Promise<string[]> =>
      (await client.query<{ value: string }>(statement)).rows.map(({ value }) => value)
    const objects = new Set<string>()
    for await (const keys of bucket.list(`${bucket.prefix}images/`))
      for (const key of keys) objects.add(key.slice(key.lastIndexOf('/') + 1))
    const records = await column('SELECT image_name AS value FROM images')
    const explained = new Set([
      ...records,
      ...(await column('SELECT image_name AS value FROM pending_files')),
      ...(await column('SELECT image_name AS value FROM tombstones')),
    ])
    return [
      ...records.filter((name) => !objects.has(name)).map((name) => `${name} has no object`),
      ...[...objects].filter((name) => !explained.has(name)).map((name) => `${name} has no record`),
      ...(await column(wrongCounters)),
    ]
  } finally {
    bucket.close()
    await client.end()
  }
}

const wrongCounters = `
  WITH counted AS (
    SELECT board, kind, category, origin, starred, count(*) AS n, sum(file_size) AS bytes
    FROM images WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5
  ), items AS (
    SELECT queue_id, scope, name, status, count(*) AS n FROM queue_items CROSS JOIN LATERAL
      (VALUES ('queue', ''), ('batch', batch_id), ('destination', destination)) AS scopes (scope, name)
    WHERE name IS NOT NULL GROUP BY 1, 2, 3, 4
  )
  SELECT format('board %s counts %s images, and has %s', board, counters.n, counted.n) AS value
  FROM image_counts AS counters
    FULL JOIN counted USING (board, kind, category, origin, starred)
  WHERE coalesce(counters.n, 0) <> coalesce(counted.n, 0)
    OR coalesce(counters.bytes, 0) <> coalesce(counted.bytes, 0)
  UNION ALL
  SELECT format('the queue counts %s items as %s, and has %s', counters.n, status, items.n)
  FROM queue_counts AS counters FULL JOIN items USING (queue_id, scope, name, status)
  WHERE coalesce(counters.n, 0) <> coalesce(items.n, 0)`
