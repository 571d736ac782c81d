import type { Insertable } from 'kysely'
import type { ImageGenerator } from '#contract/metadata.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { EmbeddedMetadata, NewImage } from '#server/core/images/image-ports.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { noteAdditions } from '#server/storage/sql/boards/write-boards.ts'
import { codeOfCategory, codeOfOrigin, flagOf, kindOf } from '#server/storage/sql/codes.ts'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { insertFingerprints } from '#server/storage/sql/likeness/write-fingerprints.ts'
import { insertProperties } from '#server/storage/sql/properties/write-properties.ts'
import { promptStartOf, searchTextOf } from '#server/storage/sql/search/search-text-of.ts'
import type { Db, ImageMetadataTable, ImagesTable } from '#server/storage/sql/tables.ts'
import { insertTags } from '#server/storage/sql/tags/apply-tags.ts'
import { nameKeyOf } from '#server/storage/sql/views/name-key.ts'

export interface PlacedImage {
  image: NewImage
  board: number
}

/** A statement binds at most 32,766 values, and a row has 35. */
export const IMAGES_PER_STATEMENT = 500

/** Inserts the rows, metadata, search words and properties of images. Their names and upload ids must be new. */
export const insertImages = async (db: Db, now: number, placed: readonly PlacedImage[]) => {
  const inserted = await db
    .insertInto('images')
    .values(placed.map((each) => rowOf(each, now)))
    .returning(['id', 'image_name'])
    .execute()
  const ids = new Map(inserted.map(({ id, image_name }) => [image_name, id]))
  const known = placed.flatMap(({ image }) => {
    const id = ids.get(image.image_name)
    return id === undefined ? [] : [{ id, image }]
  })

  const metadata = known.flatMap(({ id, image }) => metadataOf(id, image))
  if (metadata.length > 0) await db.insertInto('image_metadata').values(metadata).execute()
  const words = known.map(({ id, image }) => ({ id, ...searchTextOf(image) }))
  await dialectOf(db).indexImages(db, words)
  await insertProperties(
    db,
    known.map(({ id, image: { metadata } }) => ({ id, metadata })),
  )
  await insertFingerprints(
    db,
    known.flatMap(({ id, image: { fingerprint } }) =>
      fingerprint === null ? [] : [{ id, fingerprint }],
    ),
  )
  await insertTags(
    db,
    now,
    known.map(({ id, image: { tags = [] } }) => ({ id, tags })),
  )
  const shown = placed.filter(({ image }) => !image.is_intermediate)
  await noteAdditions(
    db,
    now,
    shown.map(({ board }) => board),
  )
}

const rowOf = ({ image, board }: PlacedImage, now: number): Insertable<ImagesTable> => ({
  image_name: image.image_name,
  board,
  category: codeOfCategory(image.image_category),
  origin: codeOfOrigin(image.image_origin),
  kind: kindOf(isVideoName(image.image_name), image.is_intermediate),
  starred: image.starred ? 1 : 0,
  rating: image.rating ?? 0,
  width: image.width,
  height: image.height,
  created_at: image.created_at ?? now,
  updated_at: image.created_at ?? now,
  deleted_at: null,
  taken_at: image.taken_at,
  dated_at: image.taken_at ?? image.created_at ?? now,
  name_key: nameKeyOf(image),
  session_id: image.session_id,
  node_id: image.node_id,
  upload_id: image.upload_id,
  file_name: image.file_name,
  file_size: image.file_size,
  media_type: image.media_type,
  content_hash: Buffer.from(image.content_hash, 'hex'),
  thumbhash: image.thumbhash,
  is_animated: image.is_animated ? 1 : 0,
  ...columnsOfMetadata(image.metadata),
  reader_version: READER_VERSION,
  left_board: null,
  duration: isVideoName(image.image_name) ? (image.video?.duration_ms ?? 0) : null,
  frame_rate: image.video?.frame_rate ?? null,
  codec: image.video?.codec ?? null,
  has_sound: image.video === undefined ? null : flagOf(image.video.has_sound),
  poster_ms: image.poster_ms ?? null,
})

/** Returns the columns of an image that lists show and that follow from its metadata. */
export const columnsOfMetadata = (metadata: EmbeddedMetadata) => ({
  has_workflow: metadata.workflow !== null || metadata.graph !== null ? (1 as const) : (0 as const),
  prompt_start: promptStartOf(metadata),
  generator: generatorOf(metadata),
})

/** Returns the row of the metadata, or nothing if there is no metadata. */
export const metadataOf = (
  id: number,
  { metadata }: Pick<NewImage, 'metadata'>,
): ImageMetadataTable[] => {
  const { invokeai, normal, workflow, graph } = metadata
  if (invokeai === null && normal === null && workflow === null && graph === null) return []
  return [{ image: id, invokeai, normal: jsonOf(normal), workflow, graph }]
}

/** Metadata without a normal form is InvokeAI's object. */
const generatorOf = ({ normal, invokeai }: NewImage['metadata']): ImageGenerator | null =>
  normal === null && invokeai !== null ? 'invokeai' : (normal?.generator ?? null)

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value))
