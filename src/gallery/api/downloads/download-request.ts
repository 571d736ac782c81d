import { create } from 'zustand'
import type { DownloadSource } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { itemCountOf, type Noun, nounOfBoard } from '#gallery/api/images/noun.ts'

/** Images to download in a form that the dialog asks for. */
export interface DownloadRequest {
  readonly count: number
  readonly noun: Noun
  /** @throws If the server does not answer. */
  readonly source: () => Promise<DownloadSource>
  /** Returns the first records, at most `count`, in the order of the download. */
  readonly records: (count: number) => Promise<readonly ImageRecord[]>
}

interface NamedImages {
  readonly count: number
  readonly noun: Noun
  names(): Promise<readonly string[]>
}

/** @param known - The records that are loaded. */
export const requestOfImages = (
  api: GalleryApi,
  images: NamedImages,
  known: readonly ImageRecord[],
): DownloadRequest => ({
  count: images.count,
  noun: images.noun,
  source: async () => ({ imageNames: await images.names() }),
  records: async (count) => {
    const names = (await images.names()).slice(0, count)
    const records = new Map(known.map((record) => [record.image_name, record]))
    const missing = names.filter((name) => !records.has(name))
    for (const record of missing.length > 0 ? await api.client.images.getMany(missing) : [])
      records.set(record.image_name, record)
    return names.flatMap((name) => records.get(name) ?? [])
  },
})

export const requestOfBoard = (
  api: GalleryApi,
  board: Pick<Board, 'board_id' | 'image_count' | 'video_count'>,
): DownloadRequest => ({
  count: itemCountOf(board),
  noun: nounOfBoard(board),
  source: () => Promise.resolve({ boardId: board.board_id }),
  records: async (limit) => {
    const view = { boardId: board.board_id, kind: 'all' as const }
    return (await api.client.images.page(view, { offset: 0, limit })).items
  },
})

const useRequest = create<{ request: DownloadRequest | null }>(() => ({ request: null }))

/** Returns the images of the open dialog; null if it is closed. */
export const useDownloadRequest = (): DownloadRequest | null => useRequest(({ request }) => request)

export const openDownloadDialog = (request: DownloadRequest): void =>
  useRequest.setState({ request })

export const closeDownloadDialog = (): void => useRequest.setState({ request: null })
