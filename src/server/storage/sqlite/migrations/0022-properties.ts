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
    id INTEGER PRIMARY KEY,
    property INTEGER NOT NULL,
    name_key TEXT NOT NULL,
    value TEXT NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX value_by_name ON property_values (name_key, property)',
  `CREATE TABLE image_properties (
    image INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    model INTEGER,
    sampler INTEGER,
    scheduler INTEGER,
    camera INTEGER,
    lens INTEGER,
    steps INTEGER,
    cfg INTEGER,
    seed TEXT
  ) STRICT`,
  'CREATE INDEX properties_by_seed ON image_properties (seed) WHERE seed IS NOT NULL',
  `CREATE TABLE image_loras (
    image INTEGER NOT NULL REFERENCES images (id) ON DELETE CASCADE,
    lora INTEGER NOT NULL,
    PRIMARY KEY (image, lora)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX images_by_lora ON image_loras (lora, image)',
]
