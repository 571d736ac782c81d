import type { DownloadSource } from '#client/index.ts'
import type { BulkDownload } from '#contract/download-operations.ts'
import { accountToken } from '#gallery/api/connection/account-token.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { onEventsLost, onServerEvent } from '#gallery/api/connection/server-events.ts'

/** Longer than anything takes to be packed: it was told while nobody listened. In milliseconds. */
const PATIENCE_MS = 10 * 60_000

/**
 * Has an InvokeAI pack images. It does so in the background, and an event tells when the zip is there (wire 2.7).
 *
 * @throws {RefusedError | ConnectionError} It did not begin.
 * @throws {Error} It failed, or nobody can know any more, with words for a person.
 */
export async function packImages(source: DownloadSource): Promise<BulkDownload> {
  const packed = Promise.withResolvers<void>()
  packed.promise.catch(() => {}) // it may fail before anybody waits for it
  /** Why each failed that has ended; null: it is there. An event may overtake the answer. */
  const ended = new Map<string, string | null>()
  let item: string | undefined
  const look = () => {
    const fault = item === undefined ? undefined : ended.get(item)
    if (fault === null) packed.resolve()
    else if (fault !== undefined) packed.reject(new Error(fault))
  }
  const give = (why: string) => packed.reject(new Error(why))
  const stops = [
    onServerEvent('bulk_download_complete', ({ bulk_download_item_name: name }) => {
      ended.set(name, null)
      look()
    }),
    onServerEvent('bulk_download_error', ({ bulk_download_item_name: name, error }) => {
      ended.set(name, error)
      look()
    }),
    onEventsLost(() =>
      give('The connection to InvokeAI was lost before the zip was ready. Try again.'),
    ),
  ]
  const timer = setTimeout(
    () => give('InvokeAI did not report that the zip is ready. Try again.'),
    PATIENCE_MS,
  )
  try {
    const download = await gallery.downloads.startBulkDownload(source)
    item = download.bulk_download_item_name
    look()
    await packed.promise
    return download
  } finally {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

/** Where the browser can fetch that zip, once. */
export async function addressOfZip(download: BulkDownload): Promise<string> {
  if (accountToken.get() === null) return gallery.downloads.bulkDownloadUrl(download)
  // A link sends no token, and InvokeAI takes its cookie for single images alone (wire 7).
  return URL.createObjectURL(await gallery.downloads.bulkDownload(download))
}
