import {
  type Archive,
  type BulkDownload,
  createArchive,
  downloadImages,
  getBulkDownload,
} from '#contract/download-operations.ts'
import { addressOf, relativeAddress } from './address.ts'
import type { CallOptions } from './call.ts'
import type { Http } from './http.ts'

/** What goes into a zip: named images, or all of a board (`none` allowed). */
export type DownloadSource =
  | { readonly imageNames: readonly string[]; readonly boardId?: undefined }
  | { readonly boardId: string; readonly imageNames?: undefined }

/** Takes images out as a zip. */
export class DownloadOperations {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Names a zip, to be fetched within ten minutes from `archiveUrl` (extension `archives`). */
  createArchive(source: DownloadSource, options: CallOptions = {}): Promise<Archive> {
    return this.#http.call(createArchive, { body: bodyOf(source), ...options })
  }

  /** Where the zip is, which is made while it is fetched. */
  archiveUrl(archive: Pick<Archive, 'archive_url'>): string {
    return relativeAddress(this.#http.baseUrl, archive.archive_url)
  }

  /** Begins to make a zip; an event tells when it is ready (wire 2.7). Every server has this. */
  startBulkDownload(source: DownloadSource, options: CallOptions = {}): Promise<BulkDownload> {
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
