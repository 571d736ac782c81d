/** The counts that the buckets of one version of the schema have. */
export interface BucketShape {
  /** A bucket has a column for the count of each slot. */
  slots: readonly number[]
  /** Computes the slot of a row of `images`. */
  slotOfRow: string
  /** Names the column of `images` that is the first one of its indexes, and its values. */
  kind: { column: string; values: readonly number[] }
}

export const slotColumn = (slot: number): string => `slot${slot}`

/** The list of all boards has this number instead of the key of a board. */
export const ALL = -1

/** Before every key. JavaScript represents it exactly. */
const FIRST_NUMBER = Number.MIN_SAFE_INTEGER

/** Number of images of a new bucket. A bucket with twice as many is divided. Tests set a smaller one. */
const SIZE = `coalesce(nullif(current_setting('tessera.bucket_images', true), ''), '4096')::int`

/** The key of an image is a text and an id, or a number and an id. The unused value is constant. */
const orders = [
  { ord: 0, column: 'created_at', text: `''`, number: 'created_at' },
  { ord: 1, column: 'dated_at', text: `''`, number: 'dated_at' },
  { ord: 2, column: 'name_key', text: 'name_key', number: '0' },
  { ord: 3, column: 'file_size', text: `''`, number: 'file_size' },
] as const

type Order = (typeof orders)[number]

const listKey = 'ord, scope'
const firstKey = 'from_text, from_number, from_id'
export const orderKey = `${listKey}, ${firstKey}`

/**
 * Plans are made once and always use the index: planning takes longer than the work for one image, and a plan made
 * for one changed row must also suit thousands.
 */
const PLANS = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off`

/** Adds the first bucket of each order. */
export const addLists = (boards: string) => `
  INSERT INTO order_buckets (${orderKey})
  SELECT ord, id, '', ${FIRST_NUMBER}, 0 FROM ${boards}
  CROSS JOIN (VALUES ${orders.map(({ ord }) => `(${ord})`).join(', ')}) AS orders (ord)
  ON CONFLICT DO NOTHING;`

const startOf = (first: { text: string; number: string; id: string }) => `
  CASE WHEN part = 0 THEN ${first.text} ELSE max(text) FILTER (WHERE is_first) END,
  CASE WHEN part = 0 THEN ${first.number} ELSE max(number) FILTER (WHERE is_first) END,
  CASE WHEN part = 0 THEN ${first.id} ELSE max(id) FILTER (WHERE is_first) END`

/** Returns the statements that create the functions of the buckets, or replace those of an earlier shape. */
export const bucketFunctions = ({ slots, slotOfRow, kind }: BucketShape): string[] => {
  const slotColumns = slots.map(slotColumn)
  const size = slotColumns.join(' + ')

  /** Divides rows of images into buckets. The first one of a list starts at a given key. */
  const divided = ({ ord, text, number }: Order, rows: string, first: string) => `
    INSERT INTO order_buckets (${orderKey}, ${slotColumns.join(', ')})
    SELECT ${ord}, scope, ${first}, ${slots.map((at) => `count(*) FILTER (WHERE slot = ${at})`).join(', ')}
    FROM (
      SELECT scope, text, number, id, slot, at, at / width AS part, at % width = 0 AS is_first
      FROM (
        SELECT scope, text, number, id, slot, at,
          ceil(n / greatest(1, round(n::float8 / (${SIZE}))))::bigint AS width
        FROM (
          SELECT scope, ${text} AS text, ${number}::bigint AS number, id, ${slotOfRow} AS slot,
            row_number() OVER (PARTITION BY scope ORDER BY ${text === `''` ? number : text}, id) - 1 AS at,
            count(*) OVER (PARTITION BY scope) AS n
          FROM ${rows}
        ) AS numbered
      ) AS placed
    ) AS parts
    GROUP BY scope, part;`

  const fill = orders.flatMap((order) =>
    ['board', `${ALL}::bigint`].map((scope) =>
      divided(
        order,
        `(SELECT ${scope} AS scope, images.* FROM images WHERE deleted_at IS NULL) AS images`,
        startOf({ text: `''`, number: String(FIRST_NUMBER), id: '0' }),
      ),
    ),
  )

  const divideOf = (order: Order, isBoard: boolean) => {
    const value = order.text === `''` ? 'number' : 'text'
    const scope = isBoard ? 'board' : `${ALL}::bigint`
    const rows = (upTo: string) => `(
      SELECT ${scope} AS scope, images.* FROM images
      WHERE deleted_at IS NULL AND ${kind.column} IN (${kind.values.join(', ')}) AND starred IN (0, 1)
        ${isBoard ? 'AND board = bucket.scope' : ''}
        AND (${order.column}, id) >= (bucket.from_${value}, bucket.from_id) ${upTo}) AS images`
    const first = startOf({
      text: 'bucket.from_text',
      number: 'bucket.from_number',
      id: 'bucket.from_id',
    })
    return `
      IF bucket.ord = ${order.ord} AND ${isBoard ? '' : 'NOT '}is_board THEN
        IF next.ord IS NULL THEN ${divided(order, rows(''), first)}
        ELSE ${divided(order, rows(`AND (${order.column}, id) < (next.from_${value}, next.from_id)`), first)}
        END IF;
      END IF;`
  }

  /** Adds the changes of a statement, in one pass for all lists. */
  const countPositions = (changed: string) => `
    FOR changed IN
      WITH moved AS (
        SELECT scope, id, created_at, dated_at, name_key, file_size,
          max(old_slot) AS old_slot, max(new_slot) AS new_slot
        FROM (${changed}) AS rows
        GROUP BY scope, id, created_at, dated_at, name_key, file_size
        HAVING max(old_slot) <> max(new_slot)
      ), grouped AS (
        SELECT bucket, old_slot, new_slot, count(*) AS n
        FROM moved CROSS JOIN LATERAL (VALUES
          ${orders.map(({ ord, text, number }) => `(${ord}, ${text}, ${number}::bigint)`).join(', ')}
        ) AS keys (ord, text, number) CROSS JOIN LATERAL (
          SELECT b.bucket FROM order_buckets AS b
          WHERE b.ord = keys.ord AND b.scope = moved.scope
            AND (b.from_text, b.from_number, b.from_id) <= (keys.text, keys.number, moved.id)
          ORDER BY from_text DESC, from_number DESC, from_id DESC LIMIT 1
        ) AS found
        GROUP BY bucket, old_slot, new_slot
      ), counted AS (
        UPDATE order_buckets AS b SET ${slotColumns.map((name) => `${name} = b.${name} + changes.${name}`).join(', ')}
        FROM (
          SELECT bucket, ${slots.map((at) => `sum(CASE ${at} WHEN new_slot THEN n WHEN old_slot THEN -n ELSE 0 END) AS ${slotColumn(at)}`).join(', ')}
          FROM grouped GROUP BY bucket ORDER BY bucket
        ) AS changes WHERE b.bucket = changes.bucket
        RETURNING b.*
      )
      SELECT * FROM counted
      WHERE ${size} > 2 * ${SIZE} OR (${size} = 0 AND from_number <> ${FIRST_NUMBER})
    LOOP
      PERFORM divide_order_bucket(changed);
    END LOOP;`

  const rowsOf = (table: string, isNew: boolean) => `
    SELECT scope, id, created_at, dated_at, name_key, file_size,
      ${isNew ? `-1 AS old_slot, ${slotOfRow} AS new_slot` : `${slotOfRow} AS old_slot, -1 AS new_slot`}
    FROM ${table} CROSS JOIN LATERAL (VALUES (board), (${ALL}::bigint)) AS scopes (scope)
    WHERE deleted_at IS NULL`

  const placing = (name: string, changed: string) => `
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql ${PLANS} AS $$
      DECLARE changed order_buckets;
      BEGIN ${countPositions(changed)} RETURN NULL; END $$`

  return [
    `CREATE OR REPLACE FUNCTION divide_order_bucket(bucket order_buckets) RETURNS void LANGUAGE plpgsql
      SET enable_seqscan = off AS $$
      DECLARE
        next order_buckets;
        is_board boolean := bucket.scope <> ${ALL};
      BEGIN
        DELETE FROM order_buckets WHERE order_buckets.bucket = divide_order_bucket.bucket.bucket;
        SELECT * INTO next FROM order_buckets
        WHERE ord = bucket.ord AND scope = bucket.scope AND (${firstKey}) >
          (bucket.from_text, bucket.from_number, bucket.from_id)
        ORDER BY ${firstKey} LIMIT 1;
        ${orders.flatMap((order) => [divideOf(order, true), divideOf(order, false)]).join('')}
      END $$`,
    `CREATE OR REPLACE FUNCTION fill_order_buckets() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM order_buckets;
        ${fill.join('')}
        ${addLists('boards')}
        ${addLists(`(VALUES (${ALL})) AS every (id)`)}
      END $$`,
    placing('place_new_images', rowsOf('new_rows', true)),
    placing('place_old_images', rowsOf('old_rows', false)),
    placing(
      'place_changed_images',
      `${rowsOf('new_rows', true)} UNION ALL ${rowsOf('old_rows', false)}`,
    ),
  ]
}
