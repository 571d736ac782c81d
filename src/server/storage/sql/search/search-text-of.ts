import { sql } from 'kysely'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { insertProperties } from '#server/storage/sql/properties/write-properties.ts'
import type { Db, SearchText } from '#server/storage/sql/tables.ts'
import { splitCjk } from './parse-query.ts'

/** A workflow in a metadata object can be megabytes, so words beyond this length are not indexed. */
const MAX_PARAMETER_CHARACTERS = 20_000

interface SearchedImage {
  file_name: string | null
  metadata: Pick<EmbeddedMetadata, 'normal' | 'invokeai'>
}

/** Returns the columns of the full-text index for an image. */
export const searchTextOf = (image: SearchedImage): SearchText => {
  const { normal } = image.metadata
  const invokeai = normal === null ? objectOf(image.metadata.invokeai) : null
  const prompt = promptIn(normal, invokeai)
  const negativePrompt = normal?.negative_prompt ?? textAt(invokeai, 'negative_prompt')
  const parameters =
    normal === null
      ? leavesOf(omit(invokeai, ['positive_prompt', 'negative_prompt']))
      : leavesOf(omit(normal, ['prompt', 'negative_prompt', 'raw']))
  return {
    prompt: splitCjk(prompt),
    negative_prompt: splitCjk(negativePrompt),
    parameters: splitCjk(parameters.slice(0, MAX_PARAMETER_CHARACTERS)),
    file_name: splitCjk(image.file_name ?? ''),
  }
}

const selectStored = (db: Db) =>
  db
    .selectFrom('images')
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .select(['images.id', 'images.file_name'])
    // The database drops parts that are not indexed, because they may be megabytes.
    .select(dialectOf(db).withoutRaw.as('normal'))
    .select(sql<string | null>`CASE WHEN normal IS NULL THEN invokeai END`.as('invokeai'))

type SelectStored = ReturnType<typeof selectStored>

const readStored = async (db: Db, which: (select: SelectStored) => SelectStored) => {
  const rows = await which(selectStored(db)).execute()
  return rows.map(({ id, file_name, normal, invokeai }) => ({
    id,
    file_name,
    metadata: {
      normal: normal === null ? null : (JSON.parse(normal) as EmbeddedMetadata['normal']),
      invokeai,
    },
  }))
}

/** Reads the metadata of images without the parts that searches ignore. */
export const storedMetadata = (db: Db, ids: readonly number[]) =>
  readStored(db, (select) => select.where(isOneOf(db, 'images.id', ids)))

/**
 * Adds stored images to the full-text index, which stores no text itself, and stores their properties. Returns their
 * ids.
 */
export const indexStored = async (
  db: Db,
  which: (select: SelectStored) => SelectStored,
): Promise<number[]> => {
  const images = await readStored(db, which)
  const words = images.map((image) => ({ id: image.id, ...searchTextOf(image) }))
  if (words.length > 0) await dialectOf(db).indexImages(db, words)
  await insertProperties(db, images)
  return images.map(({ id }) => id)
}

/** Number of characters of the prompt that lists show. */
const PROMPT_START_LENGTH = 120

/** Returns the beginning of the prompt for lists, or null without a prompt. */
export const promptStartOf = ({
  normal,
  invokeai,
}: Pick<EmbeddedMetadata, 'normal' | 'invokeai'>): string | null => {
  const prompt = promptIn(normal, normal === null ? objectOf(invokeai) : null).trimStart()
  // Splits by code points, so that no surrogate pair is cut.
  const start = Array.from(prompt.slice(0, 2 * PROMPT_START_LENGTH)).slice(0, PROMPT_START_LENGTH)
  return start.join('').trimEnd() || null
}

const promptIn = (normal: EmbeddedMetadata['normal'], invokeai: Record<string, unknown> | null) =>
  normal?.prompt ?? textAt(invokeai, 'positive_prompt')

const objectOf = (json: string | null): Record<string, unknown> | null =>
  json === null ? null : JSON.parse(json)

const textAt = (object: Record<string, unknown> | null, key: string): string => {
  const value = object?.[key]
  return typeof value === 'string' ? value : ''
}

const omit = (object: Record<string, unknown> | null, keys: readonly string[]) =>
  Object.entries(object ?? {})
    .filter(([key]) => !keys.includes(key))
    .map(([, value]) => value)

/** Returns every text and number inside a value, joined by spaces. */
const leavesOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(leavesOf).filter(Boolean).join(' ')
  return ''
}
