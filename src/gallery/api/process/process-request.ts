import { create } from 'zustand'
import type { ImagesToCopy } from '#gallery/api/copy-images.ts'

/** Images that a person wants to process; null: none. */
const useRequest = create<{ images: ImagesToCopy | null }>(() => ({ images: null }))

/** What is to be processed, once it is said how. */
export const useProcessRequest = (): ImagesToCopy | null => useRequest(({ images }) => images)

export const processRequested = (images: ImagesToCopy): void => useRequest.setState({ images })

export const processClosed = (): void => useRequest.setState({ images: null })
