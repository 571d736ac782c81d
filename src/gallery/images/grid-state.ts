import type { ImageRecord } from '#contract/image.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { isTrash } from '#gallery/api/images/image-windows.ts'
import { cachedOrigin } from '#gallery/api/trash/trash-origin.ts'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import { hasDays } from '#gallery/images/selection/select-day.ts'
import { targetRecords } from '#gallery/images/selection/selected-images.ts'
import { countSelected } from '#gallery/images/selection/selection.ts'
import { currentSelection } from '#gallery/images/selection/selection-store.ts'
import { canPasteTo } from '#gallery/images/selection/use-cut-and-paste.ts'
import { canCopyPictures } from '#gallery/ui/copy-text.ts'
import { canDownloadSeveral } from './download-images.ts'
import type { CommandState } from './image-commands.ts'
import { canSetCover } from './set-cover.ts'

/** Counts the images whose board is in the trash too. */
export const countToAssets = (
  { queryClient }: GalleryApi,
  records: readonly ImageRecord[],
): number => records.filter((record) => cachedOrigin(queryClient, record).isBoardTrashed).length

/** Returns the rating that all images have. null: they differ, or there are none. */
export const commonRating = (records: readonly ImageRecord[]): number | null => {
  const [first, ...others] = records
  return first && others.every(({ rating }) => rating === first.rating) ? first.rating : null
}

/** Returns the state of the commands for the images that actions in a grid apply to. */
export function gridState(api: GalleryApi, now: GridNow, hasQueue: boolean): CommandState {
  const records = targetRecords(now)
  const selectedCount = countSelected(currentSelection(), now.total)
  // Without a selection, actions apply to the focused image.
  const count = selectedCount === 0 ? records.length : selectedCount
  const [first] = records
  const image = count === 1 && first ? first : null
  return {
    count,
    comparedCount: count,
    image,
    areAllStarred: records.length > 0 && records.every(({ starred }) => starred),
    hasVideos: records.some(({ video }) => video !== null),
    hasLikeness: api.capabilities.has('likeness'),
    canCopyVideos: api.capabilities.has('copies'),
    toAssetsCount: isTrash(now.view) ? countToAssets(api, records) : 0,
    isAll: selectedCount === now.total,
    hasQueue,
    hasRatings: api.capabilities.has('ratings'),
    hasTags: api.capabilities.has('tags'),
    rating: commonRating(records),
    canDownloadSeveral: canDownloadSeveral(api.capabilities),
    canConvert: api.capabilities.has('download_options'),
    canCopyPictures: canCopyPictures(),
    canPaste: canPasteTo(now.view.boardId),
    hasDays: hasDays(api.capabilities, now.view),
    canSetCover: canSetCover(api, image),
    metadata: 'later',
  }
}
