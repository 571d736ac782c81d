import Type, { type Static } from 'typebox'
import { BoardVisibility } from '#contract/board.ts'
import { DownloadFormat } from '#contract/downloads/download-operations.ts'
import { ImageCategory, ImageOrigin } from '#contract/image.ts'
import { MAX_RATING } from '#contract/limits.ts'
import { Nullable } from '#contract/schema.ts'
import { MAX_POSTER_MS } from '#contract/videos/video.ts'

/** Manifest at the top of an export: its version and its boards. */
export const EXPORT_MANIFEST = 'tessera-export.json'

/** Next to the manifest: the paths of all images, oldest first, one per line. Unlisted images are imported last. */
export const EXPORT_ORDER = 'tessera-export-order.txt'

/** At the top of an export of converted files, which has no manifest: their form, and what they are not. */
export const CONVERTED_MANIFEST = 'tessera-converted.json'

/** Next to it: the files, so that the next export continues. */
export const CONVERTED_FILES = 'tessera-converted-files.txt'

/** A sidecar is named like its image plus this extension. */
export const SIDECAR_EXTENSION = '.json'

/** A time, UTC, as `2026-01-31T08:05:00.123Z`. */
const Time = Type.Refine(
  Type.String({ pattern: '^[+-]?\\d{4,6}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  (text) => !Number.isNaN(Date.parse(text)),
)

/** Sidecar of an exported image. `cat.png` has the sidecar `cat.png.json` next to it. */
export const ExportSidecar = Type.Object({
  tessera_sidecar: Type.Literal(1, { description: 'The version of this form' }),
  image_name: Type.String({ minLength: 1, description: 'Names the image for good' }),
  file_name: Nullable(Type.String({ description: 'As it was uploaded; null: not known' })),
  file_size: Type.Integer({ minimum: 0 }),
  content_hash: Type.String({ description: 'SHA-256 of the bytes, hexadecimal' }),
  board_id: Nullable(Type.String({ description: 'null: on no board, as the next one' })),
  board_name: Nullable(Type.String()),
  starred: Type.Boolean(),
  image_category: ImageCategory,
  image_origin: ImageOrigin,
  created_at: Time,
  taken_at: Nullable(Time),
  session_id: Nullable(Type.String()),
  node_id: Nullable(Type.String()),
  metadata: Nullable(Type.String({ description: 'JSON text as it was written, as the next two' })),
  workflow: Nullable(Type.String()),
  graph: Nullable(Type.String()),
  rating: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_RATING, description: 'Absent: not rated' }),
  ),
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Absent: none' })),
  poster_ms: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POSTER_MS,
        description: 'Time of the chosen poster of a video; null or absent: none was chosen',
      }),
    ),
  ),
})
export type ExportSidecar = Static<typeof ExportSidecar>

export const ExportedBoard = Type.Object({
  board_id: Type.String(),
  board_name: Type.String(),
  folder: Type.String({ description: 'Below the export, `/` between names' }),
  description: Nullable(Type.String()),
  archived: Type.Boolean(),
  starred: Type.Boolean(),
  board_visibility: BoardVisibility,
  created_at: Time,
  cover_image_name: Nullable(Type.String({ description: 'The chosen cover; null: none was' })),
  position: Type.Optional(
    Nullable(Type.String({ description: 'Key of the order by hand; null or absent: never moved' })),
  ),
})
export type ExportedBoard = Static<typeof ExportedBoard>

/** Contents of `tessera-export.json`. */
export const ExportManifest = Type.Object({
  tessera_export: Type.Literal(1, { description: 'The version of this form' }),
  uncategorized_folder: Type.String({ description: 'Where images lie that are on no board' }),
  boards: Type.Array(ExportedBoard),
})
export type ExportManifest = Static<typeof ExportManifest>

/** Contents of `tessera-converted.json`. */
export const ConvertedManifest = Type.Object({
  tessera_converted: Type.Literal(1, { description: 'The version of this form' }),
  about: Type.String({ description: 'What the files are, for people' }),
  format: DownloadFormat,
  quality: Type.Integer(),
  longest_side: Nullable(Type.Integer()),
  without_metadata: Type.Boolean(),
})
export type ConvertedManifest = Static<typeof ConvertedManifest>

export const renderTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
