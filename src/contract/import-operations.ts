import Type, { type Static } from 'typebox'
import { AddedImagePage, Import, ImportRefusalPage, ImportRequest } from './import.ts'
import {
  MAX_LISTED_ADDED_IMAGES,
  MAX_LISTED_FOLDERS,
  MAX_LISTED_REFUSALS,
  MAX_NAMED_REFUSALS,
} from './limits.ts'
import { operationsOf } from './operation.ts'
import { Nullable } from './schema.ts'

const define = operationsOf({ tag: 'imports', onThisMachine: true, extension: true })

/** A folder on the server's machine, as an entry of a folder listing (extension). */
export const FolderEntry = Type.Object({
  name: Type.String(),
  path: Type.String(),
  image_count: Nullable(
    Type.Integer({ description: 'Image files directly in the folder. null if not counted' }),
  ),
  video_count: Nullable(Type.Integer({ description: 'As `image_count`, of videos' })),
  is_readable: Type.Boolean({ description: 'True if the server may read the folder' }),
})
export type FolderEntry = Static<typeof FolderEntry>

/** A folder on the server's machine and its subfolders (extension). */
export const FolderListing = Type.Object({
  path: Type.String({ description: 'Absolute path' }),
  parents: Type.Array(Type.Object({ name: Type.String(), path: Type.String() }), {
    description: 'Parent folders from the root down',
  }),
  image_count: Type.Integer({ description: 'Image files directly in the folder' }),
  video_count: Type.Integer({ description: 'Video files directly in the folder' }),
  folders: Type.Array(FolderEntry, {
    description: `In natural order, without hidden folders. At most ${MAX_LISTED_FOLDERS}`,
  }),
  left_out: Type.Integer({ description: 'Number of folders that are not listed' }),
})
export type FolderListing = Static<typeof FolderListing>

const defineForImport = operationsOf({
  tag: 'imports',
  params: Type.Object({ import_id: Type.String() }),
  refusals: ['import_not_found', 'not_on_this_machine'],
  onThisMachine: true,
  extension: true,
})

export const startImport = define('POST', '/api/v1/imports', {
  operationId: 'start_import',
  summary: 'Starts to import a folder of the server’s machine',
  body: ImportRequest,
  answers: { 201: Import },
  refusals: [
    'folder_not_found',
    'folder_unreadable',
    'folder_is_library',
    'import_under_way',
    'invalid_import',
    'not_on_this_machine',
  ],
})

export const listImports = define('GET', '/api/v1/imports', {
  operationId: 'list_imports',
  summary: `Lists the imports since the server started, newest first, then interrupted imports, each with its first ${MAX_LISTED_REFUSALS} refusals`,
  answers: { 200: Type.Array(Import) },
  refusals: ['not_on_this_machine'],
  limit: 'poll',
})

export const getImport = defineForImport('GET', '/api/v1/imports/{import_id}', {
  operationId: 'get_import',
  summary: 'Returns the progress of an import',
  answers: { 200: Import },
  limit: 'poll',
})

export const listImportRefusals = defineForImport('GET', '/api/v1/imports/{import_id}/refusals', {
  operationId: 'list_import_refusals',
  summary: 'Lists the files that an import refused, with reasons, in pages',
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_NAMED_REFUSALS, default: MAX_NAMED_REFUSALS }),
    ),
  }),
  answers: { 200: ImportRefusalPage },
  limit: 'poll',
})

export const listAddedImages = defineForImport('GET', '/api/v1/imports/{import_id}/images', {
  operationId: 'list_added_images',
  summary: 'Lists the images that an import added, in pages',
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_LISTED_ADDED_IMAGES,
        default: MAX_LISTED_ADDED_IMAGES,
      }),
    ),
  }),
  answers: { 200: AddedImagePage },
  limit: 'poll',
})

export const pauseImport = defineForImport('POST', '/api/v1/imports/{import_id}/pause', {
  operationId: 'pause_import',
  summary: 'Pauses an import. A finished import does not change',
  answers: { 200: Import },
})

export const resumeImport = defineForImport('POST', '/api/v1/imports/{import_id}/resume', {
  operationId: 'resume_import',
  summary: 'Resumes a paused import',
  answers: { 200: Import },
})

export const cancelImport = defineForImport('POST', '/api/v1/imports/{import_id}/cancel', {
  operationId: 'cancel_import',
  summary: 'Cancels an import, or forgets an interrupted one. Imported images stay',
  answers: { 200: Import },
})

export const listFolders = define('GET', '/api/v1/imports/folders', {
  operationId: 'list_folders',
  summary:
    'Lists the folders in a folder of the server’s machine with the numbers of images and videos in each',
  query: Type.Object({
    path: Type.Optional(Type.String({ description: 'Absolute path. Default: the home folder' })),
  }),
  answers: { 200: FolderListing },
  refusals: ['folder_not_found', 'folder_unreadable', 'not_on_this_machine'],
})
