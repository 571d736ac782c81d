import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import type { Import, ImportRefusalPage, ImportRequest } from '#contract/import.ts'
import {
  cancelImport,
  type FolderListing,
  getImport,
  listFolders,
  listImportRefusals,
  listImports,
  pauseImport,
  resumeImport,
  startImport,
} from '#contract/import-operations.ts'

/**
 * Bringing in folders that lie on the server's machine, which only a server with the extension `imports`
 * lets a client do, and only one on the same machine.
 *
 * @example
 * const { import_id } = await imports.start({ folder: '/home/ada/Pictures', boards: 'folders' })
 * console.log((await imports.get(import_id)).taken_in)
 */
export class ImportOperations {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Starts to bring in a folder. The answer comes before the first file is read.
   *
   * @throws {RefusedError} `folder_not_found`, `folder_unreadable`.
   */
  start(request: ImportRequest, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(startImport, { body: request, ...options })
  }

  /**
   * Imports since the server started, newest first, ended ones too; of each only its first refusals.
   * Counts in no limit.
   */
  list(options: CallOptions = {}): Promise<Import[]> {
    return this.#http.call(listImports, options)
  }

  /**
   * How far an import is, with its first 1,000 refusals. Counts in no limit.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  get(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(getImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Which files an import refused, and why, in their order; `total` counts those that the server has kept. Counts
   * in no limit.
   *
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
   * Takes no further file until it is resumed. One that has ended stays as it is.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  pause(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(pauseImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Goes on with an import that was paused.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  resume(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(resumeImport, { params: { import_id: importId }, ...options })
  }

  /**
   * Ends an import for good. What was taken in stays.
   *
   * @throws {RefusedError} `import_not_found`.
   */
  cancel(importId: string, options: CallOptions = {}): Promise<Import> {
    return this.#http.call(cancelImport, { params: { import_id: importId }, ...options })
  }

  /**
   * The folders in a folder of the server's machine, and how many images lie in each.
   *
   * @param path - Absolute; `undefined`: the home folder.
   * @throws {RefusedError} `folder_not_found`, `folder_unreadable`.
   */
  folders(path: string | undefined, options: CallOptions = {}): Promise<FolderListing> {
    return this.#http.call(listFolders, { query: { path }, ...options })
  }
}
