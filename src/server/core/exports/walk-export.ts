import type { ExportRecords, ImageToExport } from './export-ports.ts'

/** Images whose records are read together, and images written concurrently. */
const IMAGES_PER_PAGE = 200
const CONCURRENCY = 4

interface Walk {
  /** null: everything. */
  boardIds: readonly string[] | null
  signal: AbortSignal
}

/**
 * Reads all images of an export in pages, oldest first.
 *
 * @returns False if `signal` was aborted before the end.
 */
export const walkExport = async (
  records: Pick<ExportRecords, 'images'>,
  { boardIds, signal }: Walk,
  onPage: (images: readonly ImageToExport[]) => Promise<void>,
): Promise<boolean> => {
  for (let after = 0; !signal.aborted; ) {
    const images = await records.images(after, IMAGES_PER_PAGE, boardIds)
    const last = images.at(-1)
    if (last === undefined) return true
    await onPage(images)
    after = last.id
  }
  return false
}

/**
 * Works on several images concurrently, and starts in their order. If the work on one fails, the others only finish their
 * current image, so that nothing is written after this call ends.
 */
export const workOnAll = async (
  images: readonly ImageToExport[],
  stopped: AbortSignal,
  work: (image: ImageToExport, at: number) => Promise<void>,
): Promise<void> => {
  const queue = images.entries()
  const failed = new AbortController()
  const signal = AbortSignal.any([stopped, failed.signal])
  const workOnNext = async () => {
    for (const [at, image] of queue) {
      if (signal.aborted) return
      await work(image, at)
    }
  }
  const workOrStopAll = () =>
    workOnNext().catch((error: unknown) => {
      failed.abort()
      throw error
    })
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, workOrStopAll))
  const fault = ends.find((end) => end.status === 'rejected')
  if (fault !== undefined) throw fault.reason
}
