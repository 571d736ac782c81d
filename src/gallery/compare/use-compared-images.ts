import { notifyManager, type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { CompareRequest } from '#gallery/api/images/compare-request.ts'
import { isTrash } from '#gallery/api/images/image-windows.ts'
import { knownImages } from '#gallery/api/images/known-images.ts'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import type { Compared } from './differing-rows.ts'

/** Returns the images of a comparison that still exist, and functions that take images out. */
export function useComparedImages({ imageNames, records }: CompareRequest) {
  const { client } = useGallery()
  const queryClient = useQueryClient()
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const [trashed, setTrashed] = useState<ReadonlySet<string>>(new Set())
  const known = useKnownImages(queryClient, imageNames)
  const queries = metadataQueries(client)
  const alone = useQueries({
    queries: imageNames.map((imageName) => {
      const record = records.find(({ image_name }) => image_name === imageName)
      const placeholder = record && { placeholderData: record }
      return { ...queries.record(imageName), enabled: !known.has(imageName), ...placeholder }
    }),
  })
  const images = imageNames.flatMap((imageName, at): ImageRecord[] => {
    const image = known.get(imageName) ?? alone[at]?.data
    if (!image || image.deleted_at || removed.has(imageName)) return []
    // Undo of the deletion shows it in the grid again, and therefore here.
    return trashed.has(imageName) && !known.has(imageName) ? [] : [image]
  })
  return {
    images,
    isLoading: alone.some(({ isLoading }) => isLoading),
    /** Takes an image out of the comparison only. */
    remove: (imageName: string) => setRemoved((names) => new Set([...names, imageName])),
    reload: (imageName: string) =>
      queryClient.invalidateQueries({ queryKey: queries.record(imageName).queryKey }),
    /** Hides images that move to the trash. */
    hideTrashed: (names: readonly string[]) =>
      setTrashed((before) => new Set([...before, ...names])),
  }
}

/** Returns the metadata of images, once that of all is loaded. */
export function useComparedMetadata(images: readonly ImageRecord[]): {
  readonly compared: readonly Compared[] | undefined
  readonly hasFailed: boolean
} {
  const { client } = useGallery()
  const names = images.map(({ image_name }) => image_name)
  const queries = metadataQueries(client)
  const results = useQueries({ queries: names.map((name) => queries.normal(name, names)) })
  const compared = images.flatMap((image, at): Compared[] => {
    const metadata = results[at]?.data
    return metadata === undefined ? [] : [{ image, metadata }]
  })
  return {
    compared: compared.length === images.length ? compared : undefined,
    hasFailed: results.some(({ isError }) => isError),
  }
}

/** Returns the records in the cached windows of the page, which show changes at once. */
function useKnownImages(
  client: QueryClient,
  imageNames: readonly string[],
): ReadonlyMap<string, ImageRecord> {
  const read = useMemo(() => makeReader(client, imageNames), [client, imageNames])
  const subscribe = useCallback(
    // The cache can change while another component renders, so React is notified afterwards.
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  return useSyncExternalStore(subscribe, read)
}

/** Returns a function that returns the same map while the records are the same. */
function makeReader(client: QueryClient, imageNames: readonly string[]) {
  let last: ReadonlyMap<string, ImageRecord> = new Map()
  return () => {
    const now = knownImages(client, imageNames, (view) => !isTrash(view))
    const isSame = now.size === last.size && [...now].every(([name, one]) => last.get(name) === one)
    if (!isSame) last = now
    return last
  }
}
