import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import { MAX_METADATA_NAMES } from '#contract/limits.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { imageKeys } from './image-cache.ts'
import { type ImageWindows, recordAt } from './image-windows.ts'

/** Returns the loaded images in the same block of 100 positions, whose metadata one request reads. */
export function metadataPart(windows: ImageWindows, position: number | null): string[] {
  if (position === null) return []
  const from = position - (position % MAX_METADATA_NAMES)
  const positions = Array.from({ length: MAX_METADATA_NAMES }, (_, offset) => from + offset)
  return positions.flatMap((at) => recordAt(windows, at)?.image_name ?? [])
}

export const metadataQueries = (gallery: TesseraClient) => ({
  /** The record of an image that no window holds; null if there is no such image. */
  record: (imageName: string) =>
    queryOptions({
      queryKey: imageKeys.record(imageName),
      queryFn: ({ signal }) => gallery.images.get(imageName, { signal }),
    }),

  /**
   * The metadata of an image; null if its file has none. Only an update changes it.
   *
   * On our server one request reads the metadata of all of `together`, so paging through a view sends one
   * request for every hundred images. Their `raw` is then empty: `raw` below has it.
   */
  normal: (imageName: string, together: readonly string[]) =>
    queryOptions({
      queryKey: ['metadata', imageName] as const,
      queryFn: async ({ client, signal }): Promise<NormalMetadata | null> => {
        if (!(await gallery.server.has('image_metadata_by_names'))) {
          return gallery.images.metadata(imageName, { signal })
        }
        const names = together.includes(imageName) ? together : [imageName]
        const found = await client.fetchQuery(metadataOfAll(gallery, names))
        return found[imageName] ?? null
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The embedded metadata by the name under which it is embedded in the file. */
  raw: (imageName: string) =>
    queryOptions({
      queryKey: ['metadata', imageName, 'raw'] as const,
      queryFn: async ({ signal }): Promise<NormalMetadata['raw']> =>
        (await gallery.images.metadata(imageName, { signal }))?.raw ?? {},
      staleTime: Number.POSITIVE_INFINITY,
    }),
})

/** One query for all images of a block, so that paging within the block shares one request, even while it is active. */
const metadataOfAll = (gallery: TesseraClient, imageNames: readonly string[]) =>
  queryOptions({
    queryKey: ['metadata of all', imageNames] as const,
    queryFn: async (): Promise<Readonly<Record<string, NormalMetadata | null>>> =>
      Object.fromEntries(await gallery.images.metadataByNames(imageNames)),
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * Reads metadata again after the server has read the files again.
 *
 * @param imageNames - The default is all images.
 */
export const refreshMetadata = async (
  queryClient: QueryClient,
  imageNames?: ReadonlySet<string>,
): Promise<void> => {
  const isMeant = (name: unknown) => imageNames?.has(String(name)) ?? true
  queryClient.removeQueries({
    queryKey: ['metadata of all'],
    predicate: ({ queryKey }) => (queryKey[1] as readonly string[]).some(isMeant),
  })
  await queryClient.invalidateQueries({
    queryKey: ['metadata'],
    predicate: ({ queryKey }) => isMeant(queryKey[1]),
  })
}
