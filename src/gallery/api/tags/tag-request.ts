import { create } from 'zustand'
import type { ImageRecord } from '#contract/image.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import type { Images } from '#gallery/api/outbox/rule-steps.ts'

/** Images whose tags are changed. */
export interface ImagesToTag {
  readonly count: number
  readonly noun: Noun
  readonly images: Images
  /** Returns the names. Fetches them if only positions are known. */
  readonly names: () => Promise<readonly string[]>
  /** The records that are loaded. */
  readonly records: readonly ImageRecord[]
}

const useRequest = create<{ images: ImagesToTag | null }>(() => ({ images: null }))

/** Returns the images of the open dialog of tags; null if it is closed. */
export const useTagRequest = (): ImagesToTag | null => useRequest(({ images }) => images)

export const openTagDialog = (images: ImagesToTag): void => useRequest.setState({ images })

export const closeTagDialog = (): void => useRequest.setState({ images: null })
