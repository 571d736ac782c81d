import type { DownloadSource, TesseraClient } from '#client/index.ts'
import type { BulkDownload } from '#contract/downloads/download-operations.ts'
import type { AccountToken } from '#gallery/api/connection/account-token.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { Clock } from './clock.ts'

interface ZipApi {
  readonly client: Pick<TesseraClient, 'downloads'>
  readonly clock: Clock
  readonly events: Pick<ServerEvents, 'on' | 'onLost'>
  readonly accountToken: Pick<AccountToken, 'get'>
}

/** Longer than any packing takes: after this time the event was missed. In milliseconds. */
const TIMEOUT_MS = 10 * 60_000

/**
 * Lets InvokeAI pack images into a zip. InvokeAI works in the background and sends an event when the zip is ready.
 *
 * @throws {RefusedError | ConnectionError} Packing did not start.
 * @throws {Error} Packing failed or timed out, or the event stream was lost. The message is user-readable.
 */
export async function packImages(api: ZipApi, source: DownloadSource): Promise<BulkDownload> {
  const packed = Promise.withResolvers<void>()
  packed.promise.catch(() => {}) // it can reject before it is awaited
  /** The errors of finished downloads; null for success. An event can arrive before the answer. */
  const ended = new Map<string, string | null>()
  let item: string | undefined
  const settle = () => {
    const fault = item === undefined ? undefined : ended.get(item)
    if (fault === null) packed.resolve()
    else if (fault !== undefined) packed.reject(new Error(fault))
  }
  const give = (why: string) => packed.reject(new Error(why))
  const end = (name: string, fault: string | null) => {
    ended.set(name, fault)
    settle()
  }
  const stops = [
    api.events.on('bulk_download_complete', ({ bulk_download_item_name: name }) => end(name, null)),
    api.events.on('bulk_download_error', ({ bulk_download_item_name: name, error }) =>
      end(name, error),
    ),
    api.events.onLost(() =>
      give('The connection to InvokeAI was lost before the zip was ready. Try again.'),
    ),
  ]
  const timer = api.clock.setTimeout(
    () => give('InvokeAI did not report that the zip is ready. Try again.'),
    TIMEOUT_MS,
  )
  try {
    const download = await api.client.downloads.startBulkDownload(source)
    item = download.bulk_download_item_name
    settle()
    await packed.promise
    return download
  } finally {
    api.clock.clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

/** Returns a URL from which the browser can download the zip once. */
export async function addressOfZip(api: ZipApi, download: BulkDownload): Promise<string> {
  if (api.accountToken.get() === null) return api.client.downloads.bulkDownloadUrl(download)
  // A link sends no token, and InvokeAI accepts its cookie only for single images.
  return URL.createObjectURL(await api.client.downloads.bulkDownload(download))
}
