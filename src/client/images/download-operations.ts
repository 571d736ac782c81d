import type { ServerOperations } from '#client/server-operations.ts'
import { addressOf, relativeAddress } from '#client/transport/address.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  type Archive,
  type BulkDownload,
  createArchive,
  downloadImages,
  getBulkDownload,
} from '#contract/download-operations.ts'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'

/** What goes into a zip: named images, or all of a board (`none` allowed). */
export type DownloadSource =
  | { readonly imageNames: readonly string[]; readonly boardId?: undefined }
  | { readonly boardId: string; readonly imageNames?: undefined }

/** Takes images out as a zip. */
export class DownloadOperations {
  readonly #http: Http
  readonly #server: ServerOperations

  constructor(http: Http, server: ServerOperations) {
    this.#http = http
    this.#server = server
  }

  /** Names a zip, to be fetched within ten minutes from `archiveUrl` (extension `archives`). */
  createArchive(source: DownloadSource, options: CallOptions = {}): Promise<Archive> {
    return this.#http.call(createArchive, { body: bodyOf(source), ...options })
  }

  /** Where the zip is, which is made while it is fetched. */
  archiveUrl(archive: Pick<Archive, 'archive_url'>): string {
    return relativeAddress(this.#http.baseUrl, archive.archive_url)
  }

  /**
   * Starts making a zip; an event is sent when it is ready (wire 2.7). Every server has this.
   *
   * @throws {RangeError} More names than the server accepts at once (InvokeAI: 1,000). Nothing was sent.
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

  /** That zip, once, for who has to show a token. */
  bulkDownload(
    { bulk_download_item_name }: BulkDownload,
    options: CallOptions = {},
  ): Promise<Blob> {
    return this.#http.blob(getBulkDownload, { params: { bulk_download_item_name }, ...options })
  }

  /** Where that zip is, once: it is deleted after the first fetch. */
  bulkDownloadUrl({ bulk_download_item_name }: BulkDownload): string {
    return addressOf(this.#http.baseUrl, getBulkDownload, { params: { bulk_download_item_name } })
  }
}

const bodyOf = ({ imageNames, boardId }: DownloadSource) =>
  imageNames === undefined ? { board_id: boardId } : { image_names: [...imageNames] }
