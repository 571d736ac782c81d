import {
  type DuplicateGroup,
  type DuplicateView,
  type KeptOfGroup,
  namesIn,
} from '#gallery/api/duplicates.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { openComparison } from '#gallery/api/images/compare-request.ts'
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

/** Moves all but the kept image of each group to the trash. */
export async function resolveGroups(api: Api, kept: readonly KeptOfGroup[]): Promise<void> {
  const what = countOf(countOthers(kept), 'duplicate')
  const [only] = kept
  const keptImage = only?.group.images.find(({ image_name }) => image_name === only.keep)
  const description =
    kept.length > 1 || keptImage === undefined
      ? `Kept ${countOf(kept.length, 'image')}.`
      : `Kept ${fileNameOf(keptImage)}.`
  try {
    const undo = await api.duplicates.resolve(kept)
    showToast({ title: `Deleted ${what}`, description, action: { label: 'Undo', run: undo } })
  } catch (error) {
    const retry = () => void resolveGroups(api, kept)
    showFailure(`Could not delete ${what}`, reasonOf(error), kept.length === 1 ? retry : undefined)
  }
}

export async function dismissGroup(api: Api, group: DuplicateGroup): Promise<void> {
  try {
    const undo = await api.duplicates.dismiss([group])
    showToast({
      title: `${countOf(group.images.length, 'image')} marked as not duplicates`,
      action: { label: 'Undo', run: undo },
    })
  } catch (error) {
    const retry = () => void dismissGroup(api, group)
    showFailure('Could not mark them as not duplicates', reasonOf(error), retry)
  }
}

export const compareGroup = (group: DuplicateGroup): void =>
  openComparison({ imageNames: namesIn(group), records: group.images })

/** Keeps one image of all groups of a view, also of those that are not loaded. */
export async function resolveAll(api: Api, view: DuplicateView): Promise<void> {
  try {
    const groups = await api.duplicates.all(view)
    if (groups.length > 0) await resolveGroups(api, withKept(groups))
  } catch (error) {
    showFailure(
      'Could not delete the duplicates',
      reasonOf(error),
      () => void resolveAll(api, view),
    )
  }
}
