import Type, { type Static } from 'typebox'
import { MAX_KEPT_ADDED_IMAGES, MAX_KEPT_REFUSALS, MAX_NAMED_REFUSALS } from './limits.ts'
import { Nullable, Timestamp } from './schema.ts'

/** Destination of imported images: one board per folder (`A/B` if nested), one board for all, or uncategorized. */
export const ImportBoards = Type.Enum(['folders', 'one', 'none'])
export type ImportBoards = Static<typeof ImportBoards>

/** A folder with images and videos to import (extension). It is on the server's machine and is never changed. */
export const ImportRequest = Type.Object({
  folder: Type.String({ minLength: 1, description: 'An absolute path on the server’s machine' }),
  boards: Type.Optional(ImportBoards),
  board_name: Type.Optional(
    Type.String({ description: 'Board for `boards: one`. Created if missing' }),
  ),
  link: Type.Optional(
    Type.Boolean({ description: 'Use hard links if the file system supports them' }),
  ),
  watch: Type.Optional(Type.Boolean({ description: 'Keep running and import new files' })),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only report' })),
})
export type ImportRequest = Static<typeof ImportRequest>

/** State of an import. `interrupted`: the server stopped meanwhile. It can be canceled or replaced by a new import. */
export const ImportState = Type.Enum([
  'running',
  'paused',
  'watching',
  'completed',
  'failed',
  'canceled',
  'interrupted',
])
export type ImportState = Static<typeof ImportState>

/** A file that the import refused, and the reason. */
export const ImportRefusal = Type.Object({
  path: Type.String(),
  code: Type.String({
    description:
      'The code with which an upload of this file would be refused, or `unreadable_file`',
  }),
  reason: Type.String(),
})
export type ImportRefusal = Static<typeof ImportRefusal>

/** A page of the refused files of an import, in the order of their refusal (extension). */
export const ImportRefusalPage = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({
    description: `Number of stored refusals: at most ${MAX_KEPT_REFUSALS}, and ${MAX_NAMED_REFUSALS} for imports before the last three`,
  }),
  items: Type.Array(ImportRefusal),
})
export type ImportRefusalPage = Static<typeof ImportRefusalPage>

/** An image that an import added, and its board at that time (extension). */
export const AddedImage = Type.Object({
  image_name: Type.String(),
  board_id: Nullable(Type.String()),
})
export type AddedImage = Static<typeof AddedImage>

/** A page of the images that an import added, in their order (extension). */
export const AddedImagePage = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({
    description: `Number of stored images: at most ${MAX_KEPT_ADDED_IMAGES}, and none for imports before the last three or from before a restart of the server`,
  }),
  items: Type.Array(AddedImage),
})
export type AddedImagePage = Static<typeof AddedImagePage>

/** An import and its progress (extension). */
export const Import = Type.Object({
  import_id: Type.String(),
  folder: Type.String(),
  source: Type.Enum(['folder', 'invokeai', 'export']),
  boards: ImportBoards,
  board_name: Nullable(Type.String()),
  link: Type.Boolean(),
  watch: Type.Boolean(),
  dry_run: Type.Boolean(),
  state: ImportState,
  error: Nullable(Type.String({ description: 'Reason if the whole import failed' })),
  found: Type.Integer({ description: 'Files found so far' }),
  is_counted: Type.Boolean({
    description: 'True if all files have been found and `found` is final',
  }),
  taken_in: Type.Integer(),
  videos: Type.Optional(
    Type.Integer({
      description: 'Imported files that are videos. Absent after a restart of the server',
    }),
  ),
  linked: Type.Integer({ description: 'Imported files that are hard links' }),
  known: Type.Integer({ description: 'Files that were already in the library' }),
  refused: Type.Integer(),
  refusals: Type.Array(ImportRefusal, { description: `The first ${MAX_NAMED_REFUSALS}` }),
  left_out: Type.Optional(
    Type.Integer({
      description: 'Intermediate images and videos of an InvokeAI. They are not imported',
    }),
  ),
  left_files: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'Number of files that are neither images nor videos, by extension in lower case; the empty one is for others',
    }),
  ),
  images_per_second: Nullable(Type.Number()),
  seconds_left: Nullable(Type.Number()),
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
})
export type Import = Static<typeof Import>
