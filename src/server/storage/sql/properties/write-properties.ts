import { sql } from 'kysely'
import { nameKey } from '#contract/search/names.ts'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type NamedProperty, namedProperties, propertiesOf } from './properties-of.ts'

export interface DescribedImage {
  id: number
  metadata: Pick<EmbeddedMetadata, 'normal' | 'invokeai'>
}

/** Rows of one statement. A row of `image_properties` binds nine values. */
const ROWS_PER_STATEMENT = 1_000

/** Stores the properties of images that have none yet. */
export const insertProperties = async (
  db: Db,
  images: readonly DescribedImage[],
): Promise<void> => {
  const described = images.flatMap(({ id, metadata }) => {
    const properties = propertiesOf(metadata)
    return properties === null ? [] : [{ id, properties }]
  })
  const values = await idsOfValues(
    db,
    described.flatMap(({ properties: { loras, ...single } }) =>
      namedProperties.flatMap((property): NamedValue[] => {
        const names = property === 'lora' ? loras : [single[property] ?? '']
        return names.filter((name) => name !== '').map((value) => ({ property, value }))
      }),
    ),
  )
  const idOf = (property: NamedProperty, value: string | null) =>
    value === null ? null : (values.get(keyOf({ property, value })) ?? null)
  const rows = described.map(({ id, properties }) => ({
    image: id,
    model: idOf('model', properties.model),
    sampler: idOf('sampler', properties.sampler),
    scheduler: idOf('scheduler', properties.scheduler),
    camera: idOf('camera', properties.camera),
    lens: idOf('lens', properties.lens),
    steps: properties.steps,
    cfg: properties.cfg,
    seed: properties.seed,
  }))
  for (const part of inParts(rows, ROWS_PER_STATEMENT))
    await db.insertInto('image_properties').values(part).execute()
  const loras = described.flatMap(({ id, properties }) => {
    const ids = properties.loras.map((name) => idOf('lora', name))
    return [...new Set(ids)].flatMap((lora) => (lora === null ? [] : [{ lora, image: id }]))
  })
  for (const part of inParts(loras, ROWS_PER_STATEMENT))
    await db.insertInto('image_loras').values(part).execute()
}

/** Removes the properties of images, before others are stored. */
export const deleteProperties = async (db: Db, ids: readonly number[]): Promise<void> => {
  for (const table of ['image_properties', 'image_loras'] as const)
    await db
      .deleteFrom(table)
      .where(isOneOf(db, 'image', ids))
      .execute()
}

interface NamedValue {
  property: NamedProperty
  value: string
}

const codeOf = (property: NamedProperty): number => namedProperties.indexOf(property)

const keyOf = ({ property, value }: NamedValue): string => `${codeOf(property)} ${nameKey(value)}`

/** Returns the ids of values by `keyOf`. Adds new values; of several spellings the first one is stored. */
const idsOfValues = async (
  db: Db,
  wanted: readonly NamedValue[],
): Promise<ReadonlyMap<string, number>> => {
  const missing = new Map(wanted.map((value) => [keyOf(value), value]))
  const ids = new Map<string, number>()
  const find = async () => {
    if (missing.size === 0) return
    const names = [...missing.values()].map(({ value }) => nameKey(value))
    const rows = await db
      .selectFrom('property_values')
      .select(['id', 'property', 'name_key'])
      .where(isOneOf(db, 'name_key', [...new Set(names)]))
      .execute()
    for (const { id, property, name_key } of rows) {
      const key = `${property} ${name_key}`
      if (!missing.delete(key)) continue
      ids.set(key, id)
    }
  }
  await find()
  const added = [...missing.values()].map(({ property, value }) => ({
    property: codeOf(property),
    name_key: nameKey(value),
    value,
  }))
  // Another process may add a value at the same time.
  for (const part of inParts(added, ROWS_PER_STATEMENT))
    await db
      .insertInto('property_values')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await find()
  return ids
}

/** Returns the names of values, by id. */
export const valueNames = async (
  db: Db,
  property: NamedProperty,
): Promise<{ id: number; value: string }[]> => {
  const { rows } = await sql<{ id: number; value: string }>`
    SELECT id, value FROM property_values WHERE property = ${codeOf(property)}`.execute(db)
  return rows
}
