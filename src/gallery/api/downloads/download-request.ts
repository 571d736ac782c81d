import { create } from 'zustand'
import type { DownloadSource } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { Noun } from '#gallery/api/images/noun.ts'

/** Images to download in a form that the dialog asks for. */
export interface DownloadRequest {
  readonly count: number
  readonly noun: Noun
  /** @throws If the server does not answer. */
  readonly source: () => Promise<DownloadSource>
  /** Returns the first records, at most `count`, in the order of the download. */
  readonly records: (count: number) => Promise<readonly ImageRecord[]>
}

const useRequest = create<{ request: DownloadRequest | null }>(() => ({ request: null }))

/** Returns the images of the open dialog; null if it is closed. */
export const useDownloadRequest = (): DownloadRequest | null => useRequest(({ request }) => request)

export const openDownloadDialog = (request: DownloadRequest): void =>
  useRequest.setState({ request })

export const closeDownloadDialog = (): void => useRequest.setState({ request: null })
