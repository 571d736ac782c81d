import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The properties that searches compare. All of them follow from the metadata. `property_values` has the names of models,
 * LoRAs, samplers and so on, once for all their spellings. Stored images get their properties in the background.
 */
export const properties: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `CREATE TABLE property_values (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property smallint NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    value text NOT NULL
  )`,
  'CREATE UNIQUE INDEX value_by_name ON property_values (name_key, property)',
  `CREATE TABLE image_properties (
    image bigint PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    model integer,
    sampler integer,
    scheduler integer,
    camera integer,
    lens integer,
    steps integer,
    cfg integer,
    seed text COLLATE "C"
  )`,
  'CREATE INDEX properties_by_seed ON image_properties (seed) WHERE seed IS NOT NULL',
  `CREATE TABLE image_loras (
    image bigint NOT NULL REFERENCES images (id) ON DELETE CASCADE,
    lora integer NOT NULL,
    PRIMARY KEY (image, lora)
  )`,
  'CREATE INDEX images_by_lora ON image_loras (lora, image)',
]
