import Type, { type Static } from 'typebox'
import { Import, ImportRefusalPage, ImportRequest } from './import.ts'
import { MAX_LISTED_FOLDERS, MAX_LISTED_REFUSALS, MAX_NAMED_REFUSALS } from './limits.ts'
import { defineOperation } from './operation.ts'
import { Nullable } from './schema.ts'

/** A folder on the server's machine, as an entry of a folder listing (extension). */
export const FolderEntry = Type.Object({
  name: Type.String(),
  path: Type.String(),
  image_count: Nullable(
    Type.Integer({ description: 'Image files directly in the folder. null if not counted' }),
  ),
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
  folders: Type.Array(FolderEntry, {
    description: `In natural order, without hidden folders. At most ${MAX_LISTED_FOLDERS}`,
  }),
  left_out: Type.Integer({ description: 'Number of folders that are not listed' }),
})
export type FolderListing = Static<typeof FolderListing>

const importParams = Type.Object({ import_id: Type.String() })

export const startImport = defineOperation({
  operationId: 'start_import',
  method: 'POST',
  path: '/api/v1/imports',
  summary: 'Starts to import a folder of the server’s machine',
  tag: 'imports',
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
  onThisMachine: true,
  extension: true,
})

export const listImports = defineOperation({
  operationId: 'list_imports',
  method: 'GET',
  path: '/api/v1/imports',
  summary: `Lists the imports since the server started, newest first, then interrupted imports, each with its first ${MAX_LISTED_REFUSALS} refusals`,
  tag: 'imports',
  answers: { 200: Type.Array(Import) },
  refusals: ['not_on_this_machine'],
  limit: 'poll',
  onThisMachine: true,
  extension: true,
})

export const getImport = defineOperation({
  operationId: 'get_import',
  method: 'GET',
  path: '/api/v1/imports/{import_id}',
  summary: 'Returns the progress of an import',
  tag: 'imports',
  params: importParams,
  answers: { 200: Import },
  refusals: ['import_not_found', 'not_on_this_machine'],
  limit: 'poll',
  onThisMachine: true,
  extension: true,
})

export const listImportRefusals = defineOperation({
  operationId: 'list_import_refusals',
  method: 'GET',
  path: '/api/v1/imports/{import_id}/refusals',
  summary: 'Lists the files that an import refused, with reasons, in pages',
  tag: 'imports',
  params: importParams,
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_NAMED_REFUSALS, default: MAX_NAMED_REFUSALS }),
    ),
  }),
  answers: { 200: ImportRefusalPage },
  refusals: ['import_not_found', 'not_on_this_machine'],
  limit: 'poll',
  onThisMachine: true,
  extension: true,
})

export const pauseImport = defineOperation({
  operationId: 'pause_import',
  method: 'POST',
  path: '/api/v1/imports/{import_id}/pause',
  summary: 'Pauses an import. A finished import does not change',
  tag: 'imports',
  params: importParams,
  answers: { 200: Import },
  refusals: ['import_not_found', 'not_on_this_machine'],
  onThisMachine: true,
  extension: true,
})

export const resumeImport = defineOperation({
  operationId: 'resume_import',
  method: 'POST',
  path: '/api/v1/imports/{import_id}/resume',
  summary: 'Resumes a paused import',
  tag: 'imports',
  params: importParams,
  answers: { 200: Import },
  refusals: ['import_not_found', 'not_on_this_machine'],
  onThisMachine: true,
  extension: true,
})

export const cancelImport = defineOperation({
  operationId: 'cancel_import',
  method: 'POST',
  path: '/api/v1/imports/{import_id}/cancel',
  summary: 'Cancels an import, or forgets an interrupted one. Imported images stay',
  tag: 'imports',
  params: importParams,
  answers: { 200: Import },
  refusals: ['import_not_found', 'not_on_this_machine'],
  onThisMachine: true,
  extension: true,
})

export const listFolders = defineOperation({
  operationId: 'list_folders',
  method: 'GET',
  path: '/api/v1/imports/folders',
  summary:
    'Lists the folders in a folder of the server’s machine with the number of images in each',
  tag: 'imports',
  query: Type.Object({
    path: Type.Optional(Type.String({ description: 'Absolute path. Default: the home folder' })),
  }),
  answers: { 200: FolderListing },
  refusals: ['folder_not_found', 'folder_unreadable', 'not_on_this_machine'],
  onThisMachine: true,
  extension: true,
})
