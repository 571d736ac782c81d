import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { AddedImagePage, Import, ImportRefusalPage, ImportRequest } from '#contract/import.ts'
import {
  cancelImport,
  type FolderListing,
  getImport,
  listAddedImages,
  listFolders,
  listImportRefusals,
  listImports,
  pauseImport,
  resumeImport,
  startImport,
} from '#contract/import-operations.ts'

/**
 * Imports of folders on the server's machine. They require the extension `imports` and a client on the same
 * machine.
 *
 * @example
 * const { import_id } = await imports.start({ folder: '/home/ada/Pictures', boards: 'folders' })
 * console.log((await imports.get(import_id)).taken_in)
 */
export class ImportOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Starts to import a folder. Resolves before the first file is read.
   *
   * @throws {RefusedError} `folder_not_found`, `folder_unreadable`.
   */
  start(request: ImportRequest, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(startImport, { body: request, ...options })
  }

  /**
   * Lists the imports since the server started, newest first, including finished ones. Each has only its first
   * refusals. Exempt from rate limits.
   */
  list(options: CallOptions = {}): Promise<Import[]> {
    return this.#http.call(listImports, options)
  }

  /**
   * Reads an import with its progress and its first 1,000 refusals. Exempt from rate limits.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  get(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(getImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Lists the files that an import refused, with the reasons, in import order. Exempt from rate limits.
   *
   * @param window - `offset` and `limit` of the page.
   * @returns `total` is the number of refusals that the server has stored.
   * @throws {RefusedError} `import_not_found`.
   */
  refusals(
    importId: string,
    window: { offset?: number; limit?: number } = {},
    options: CallOptions = {},
  ): Promise<ImportRefusalPage> {
    const params = { import_id: importId }
    return this.#http.call(listImportRefusals, { params, query: window, ...options })
  }

  /**
   * Lists the images that an import added, in their order, with the boards they were added to. Exempt from rate limits.
   *
   * @param window - `offset` and `limit` of the page.
   * @returns `total` is the number of images that the server has stored: none after a restart.
   * @throws {RefusedError} `import_not_found`.
   */
  added(
    importId: string,
    window: { offset?: number; limit?: number } = {},
    options: CallOptions = {},
  ): Promise<AddedImagePage> {
    const params = { import_id: importId }
    return this.#http.call(listAddedImages, { params, query: window, ...options })
  }

  /**
   * Pauses an import. A finished import stays unchanged.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  pause(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(pauseImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Resumes a paused import.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  resume(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(resumeImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Cancels an import permanently. Images that were imported remain.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  cancel(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(cancelImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Lists the subfolders of a folder on the server's machine, with the number of images in each.
   *
   * @param path - Absolute path; undefined means the home folder.
   * @throws {RefusedError} `folder_not_found`, `folder_unreadable`.
   */
  folders(path: string | undefined, options: CallOptions = {}): Promise<FolderListing> {
    return this.#http.call(listFolders, { query: { path }, ...options })
  }
}
