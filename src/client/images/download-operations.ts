import type { ServerOperations } from '#client/server-operations.ts'
import { addressOf, relativeAddress } from '#client/transport/address.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  type Archive,
  type BulkDownload,
  createArchive,
  type DownloadOptions,
  downloadImages,
  getBulkDownload,
} from '#contract/downloads/download-operations.ts'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'

/** Content of a zip file: named images, or all images of a board (`none` for uncategorized). */
export type DownloadSource =
  | { readonly imageNames: readonly string[]; readonly boardId?: undefined }
  | { readonly boardId: string; readonly imageNames?: undefined }

/** Downloads of images as zip files. */
export class DownloadOperations {
  readonly #http: Http
  readonly #server: ServerOperations

  /** @internal */
  constructor(http: Http, server: ServerOperations) {
    this.#http = http
    this.#server = server
  }

  /**
   * Prepares a zip file for `archiveUrl` (extension `archives`). The URL expires after ten minutes.
   *
   * @param options - `files`: the form of the files, such as a pattern for their names (extension `download_options`).
   */
  createArchive(
    source: DownloadSource,
    options: CallOptions & { readonly files?: DownloadOptions } = {},
  ): Promise<Archive> {
    return this.#http.call(createArchive, {
      body: { ...bodyOf(source), ...options.files },
      ...options,
    })
  }

  /** Returns the URL of a zip file. The server creates the file during the download. */
  archiveUrl(archive: Pick<Archive, 'archive_url'>): string {
    return relativeAddress(this.#http.baseUrl, archive.archive_url)
  }

  /**
   * Starts to create a zip file. The server sends an event when it is ready. All servers support this.
   *
   * @throws {RangeError} There are more names than the server accepts at once (InvokeAI: 1,000). Nothing was
   *   sent.
   */
  async startBulkDownload(
    source: DownloadSource,
    options: CallOptions = {},
  ): Promise<BulkDownload> {
    const count = source.imageNames?.length ?? 0
    if (count > INVOKEAI_LIMITS.namesPerRequest) {
      const { max_names_per_request } = (await this.#server.capabilities()).limits
      if (count > max_names_per_request) {
        throw new RangeError(`One zip takes at most ${max_names_per_request} images, not ${count}.`)
      }
    }
    return this.#http.call(downloadImages, { body: bodyOf(source), ...options })
  }

  /** Downloads the zip file with the client's token. The server deletes it after the first download. */
  bulkDownload(
    { bulk_download_item_name }: BulkDownload,
    options: CallOptions = {},
  ): Promise<Blob> {
    return this.#http.blob(getBulkDownload, { params: { bulk_download_item_name }, ...options })
  }

  /** Returns the URL of the zip file. The server deletes the file after the first download. */
  bulkDownloadUrl({ bulk_download_item_name }: BulkDownload): string {
    return addressOf(this.#http.baseUrl, getBulkDownload, { params: { bulk_download_item_name } })
  }
}

const bodyOf = ({ imageNames, boardId }: DownloadSource) =>
  imageNames === undefined ? { board_id: boardId } : { image_names: [...imageNames] }
