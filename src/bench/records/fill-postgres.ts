import pg from 'pg'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { type FillOptions, fillRecords, MS_APART } from './fill-records.ts'

/** Rows that are inserted through the port. PostgreSQL then copies them, with earlier dates and other sizes. */
const TEMPLATE_ROWS = 10_000

/** Metadata of a larger library would take minutes and gigabytes, and only a search for substrings reads them. */
const MAX_ROWS_WITH_METADATA = 1_000_000

/**
 * Returns a database of an earlier run, or creates one with the same rows as `filledLibrary`, apart from the texts, which repeat. Ten million rows take
 * some minutes.
 *
 * @param serverUrl - Without a database.
 * @param rows - Up to 10,000, or a multiple of it.
 * @returns Its URL.
 */
export const filledDatabase = async (
  serverUrl: string,
  rows: number,
  options: FillOptions = {},
): Promise<string> => {
  const name = `tessera_bench_${rows}${options.hasVideos ? '_videos' : ''}`
  if (await hasDatabase(serverUrl, name)) return `${serverUrl}/${name}`
  // Renamed at the end, so that an interrupted run leaves no half-filled database.
  const unfinished = `${name}_${process.pid}`
  const url = await createDatabase(serverUrl, unfinished)
  const records = await openPostgresRecords({ url })
  await fillRecords(records, Math.min(rows, TEMPLATE_ROWS), options)
  await records.close()
  const client = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await client.connect()
  try {
    if (rows > TEMPLATE_ROWS) await copyTemplate(client, rows / TEMPLATE_ROWS)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
  await runOn(`${serverUrl}/postgres`, `ALTER DATABASE ${unfinished} RENAME TO ${name}`)
  return `${serverUrl}/${name}`
}

const hasDatabase = async (serverUrl: string, name: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    return rows.length > 0
  } finally {
    await client.end()
  }
}

const copiedTables = ['image_search', 'image_metadata', 'image_properties', 'image_loras']

/** Copies without triggers and indexes, then counts and sorts once. */
const copyTemplate = async (client: pg.Client, copies: number): Promise<void> => {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = 'tessera' AND tablename IN ('images', 'image_search', 'image_properties', 'image_loras')
        AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  )
  await client.query(`SET maintenance_work_mem = '512MB'`)
  await client.query('ALTER TABLE images DISABLE TRIGGER USER')
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  // Checked once at the end instead of for each row.
  for (const table of copiedTables)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_image_fkey`)
  const statements = [
    insertImages,
    copyOf('image_search', 'words'),
    copyOf('image_properties', 'model, sampler, scheduler, camera, lens, steps, cfg, seed'),
    copyOf('image_loras', 'lora'),
    insertFingerprints,
  ]
  if (copies * TEMPLATE_ROWS <= MAX_ROWS_WITH_METADATA)
    statements.push(copyOf('image_metadata', 'invokeai, normal, workflow, graph'))
  // One copy at a time: otherwise all copies of an image, which have the same words, are next to each other on disk.
  // Without statistics, PostgreSQL would read the whole table for each.
  await client.query('SET enable_seqscan = off')
  for (const statement of statements)
    for (let copy = 1; copy < copies; copy += 1) await client.query(statement, [copy])
  await client.query('RESET enable_seqscan')
  for (const { definition } of indexes) await client.query(definition)
  for (const table of copiedTables)
    await client.query(
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_image_fkey
        FOREIGN KEY (image) REFERENCES images (id) ON DELETE CASCADE`,
    )
  await client.query('ALTER TABLE images ENABLE TRIGGER USER')
  await client.query(`SELECT setval(pg_get_serial_sequence('images', 'id'), max(id)) FROM images`)
  await client.query('DELETE FROM image_counts')
  await client.query(`
    INSERT INTO image_counts
    SELECT board, kind, category, origin, starred, count(*), sum(file_size)
    FROM images GROUP BY board, kind, category, origin, starred`)
  await client.query('SELECT fill_order_buckets()')
}

const copyOf = (table: string, columns: string) => `
  INSERT INTO ${table} (image, ${columns})
  SELECT image + $1::bigint * ${TEMPLATE_ROWS}, ${columns} FROM ${table}
  WHERE image <= ${TEMPLATE_ROWS} ORDER BY image`

/** A copy of the template would have the same pictures. */
const insertFingerprints = `
  INSERT INTO image_fingerprints
    (image, hash_high, hash_low, colors_top, colors_middle, colors_bottom)
  SELECT image + $1::bigint * ${TEMPLATE_ROWS}, (random() * 4294967294)::bigint,
    (random() * 4294967294)::bigint, colors_top, colors_middle, colors_bottom
  FROM image_fingerprints WHERE image <= ${TEMPLATE_ROWS} ORDER BY image`

/** Names, sizes and hashes are those of `imageAt`, by the index of an image. The ids of a new table start at 1. */
const insertImages = `
  INSERT INTO images (id, image_name, board, category, origin, kind, starred, has_workflow,
    width, height, created_at, updated_at, taken_at, dated_at, name_key, file_name, file_size,
    media_type, content_hash, thumbhash, prompt_start, is_animated,
    generator, duration, frame_rate, codec, has_sound)
  SELECT id + copy * ${TEMPLATE_ROWS},
    '01890000-0000-7000-8000-' || lpad(to_hex(index), 12, '0') || right(image_name, 4),
    board, category, origin, kind, starred, has_workflow, width, height,
    created_at - earlier, updated_at - earlier, taken_at - earlier, dated_at - earlier,
    name_key, file_name, 500000 + (index * 7919) % 4000000, media_type,
    decode(rpad(lpad(to_hex(index), 16, '0'), 64, '0'), 'hex'), thumbhash, prompt_start, is_animated, generator,
    duration, frame_rate, codec, has_sound
  FROM (
    SELECT images.*, copy, id - 1 + copy * ${TEMPLATE_ROWS} AS index,
      copy * ${TEMPLATE_ROWS * MS_APART} AS earlier
    FROM images CROSS JOIN (SELECT $1::bigint AS copy) AS given
    WHERE id <= ${TEMPLATE_ROWS} ORDER BY id
  ) AS copied`
