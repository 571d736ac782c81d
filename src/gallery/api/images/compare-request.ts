import { create } from 'zustand'
import type { ImageRecord } from '#contract/image.ts'

/** Images to compare. */
export interface CompareRequest {
  readonly imageNames: readonly string[]
  /** The records that are loaded, which are shown at once. */
  readonly records: readonly ImageRecord[]
}

export const MIN_COMPARED = 2
/** The number of images that fit beside each other. More are compared two at a time. */
export const MAX_COMPARED = 9
const MAX_TOURNAMENT = 500

const useRequest = create<{ request: CompareRequest | null }>(() => ({ request: null }))

/** Returns the images of the open comparison; null if it is closed. */
export const useCompareRequest = (): CompareRequest | null => useRequest(({ request }) => request)

export const openComparison = (request: CompareRequest): void => useRequest.setState({ request })

export const closeComparison = (): void => useRequest.setState({ request: null })

/** Returns why this number of images cannot be compared. */
export function compareRefusal(count: number): string | undefined {
  if (count < MIN_COMPARED) return 'Select at least 2 images'
  return count > MAX_TOURNAMENT ? `At most ${MAX_TOURNAMENT} images` : undefined
}
