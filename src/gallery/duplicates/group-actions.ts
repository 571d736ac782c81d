import {
  type DuplicateGroup,
  type DuplicateView,
  type KeptOfGroup,
  namesIn,
} from '#gallery/api/duplicates.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { openComparison } from '#gallery/api/images/compare-request.ts'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { currentKept, keptOf } from './duplicates-store.ts'

type Api = Pick<GalleryApi, 'duplicates'>

/** Returns groups with the image of each that the user keeps. */
export const withKept = (groups: readonly DuplicateGroup[]): KeptOfGroup[] =>
  groups.map((group) => ({ group, keep: keptOf(group, currentKept()) }))

const countOthers = (kept: readonly KeptOfGroup[]): number =>
  kept.reduce((sum, { group }) => sum + group.images.length - 1, 0)

const NOTHING_LEFT = {
  title: 'Nothing to delete',
  description: 'The duplicates are in the trash already.',
}

/** Moves all but the kept image of each group to the trash. */
export async function resolveGroups(api: Api, kept: readonly KeptOfGroup[]): Promise<void> {
  const { trashedCount, refusedCount, reason, isCurrent, undo } = await api.duplicates.resolve(kept)
  if (refusedCount > 0) {
    const what =
      refusedCount === kept.length
        ? countOf(countOthers(kept), 'duplicate')
        : `the duplicates of ${countOf(refusedCount, 'group')}`
    const retry = () => void resolveGroups(api, kept)
    showFailure(`Could not delete ${what}`, reason ?? '', kept.length === 1 ? retry : undefined)
  }
  if (!isCurrent || refusedCount === kept.length) return
  if (trashedCount === 0) {
    showToast(NOTHING_LEFT)
    return
  }
  const [only] = kept
  const keptImage = only?.group.images.find(({ image_name }) => image_name === only.keep)
  const description =
    kept.length > 1 || keptImage === undefined
      ? `Kept ${countOf(kept.length - refusedCount, nounOfNames(kept.map(({ keep }) => keep)))}.`
      : `Kept ${fileNameOf(keptImage)}.`
  const title = `Deleted ${countOf(trashedCount, 'duplicate')}`
  showToast({ title, description, action: { label: 'Undo', run: undo } })
}

export async function dismissGroup(api: Api, group: DuplicateGroup): Promise<void> {
  const { refusedCount, reason = '', isCurrent, undo } = await api.duplicates.dismiss([group])
  if (refusedCount > 0) {
    const retry = () => void dismissGroup(api, group)
    showFailure('Could not mark them as not duplicates', reason, retry)
  } else if (isCurrent) {
    showToast({
      title: `${countOf(group.images.length, nounOfNames(namesIn(group)))} marked as not duplicates`,
      action: { label: 'Undo', run: undo },
    })
  }
}

export const compareGroup = (group: DuplicateGroup): void =>
  openComparison({ imageNames: namesIn(group), records: group.images })

/** Keeps one image of all groups of a view, also of those that are not loaded. */
export async function resolveAll(api: Api, view: DuplicateView): Promise<void> {
  try {
    const groups = await api.duplicates.all(view)
    if (groups.length === 0) showToast(NOTHING_LEFT)
    else await resolveGroups(api, withKept(groups))
  } catch (error) {
    showFailure(
      'Could not delete the duplicates',
      reasonOf(error),
      () => void resolveAll(api, view),
    )
  }
}
