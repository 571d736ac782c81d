import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { type ImageView, isTrash } from '#gallery/api/images/image-windows.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { firstInSight, isInSight, loadedRecord, seenImages } from '#gallery/images/grid/grid-now.ts'
import { learnGroups } from '#gallery/images/timeline/use-day-groups.ts'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'
import { currentCursor, selectRanges } from './selection-store.ts'

type Capabilities = Pick<GalleryApi['capabilities'], 'has'>

/** Returns true if the server counts the days of a view: it is ordered by a date. */
export const hasDays = (capabilities: Capabilities, view: ImageView): boolean =>
  capabilities.has('image_days') &&
  !isTrash(view) &&
  ['created_at', 'taken_at'].includes(view.orderBy ?? 'created_at')

/** Selects all images of the day of the focused image, else of the first image on the screen. */
export async function selectDay(api: GalleryApi, grid: GridHandle): Promise<void> {
  const { view } = grid.now
  if (!hasDays(api.capabilities, view)) return
  try {
    const days = await api.queryClient.fetchQuery(api.imageQueries.days(view))
    const { now } = grid
    const cursor = currentCursor()?.position
    const isSeen = cursor !== undefined && isInSight(now, cursor)
    const position = isSeen ? cursor : seenImages(now)[0]?.position
    if (position === undefined) return
    const { groups } = learnGroups(null, view, { days, total: now.total, windows: now.windows })
    let from = 0
    for (const { count } of groups) {
      const to = from + count - 1
      if (position <= to) {
        const ranges = [{ from, to }]
        return selectRanges(ranges, (at) => loadedRecord(now, at), firstInSight(now, ranges))
      }
      from = to + 1
    }
  } catch (error) {
    showFailure('Could not load the days of the images', reasonOf(error))
  }
}
