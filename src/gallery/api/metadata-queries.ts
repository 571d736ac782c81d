import { queryOptions } from '@tanstack/react-query'
import type { NormalMetadata } from '#contract/metadata.ts'
import { gallery } from './connection.ts'
import { imageKeys } from './image-cache.ts'

/** What is asked of the server about one image. */
export const metadataQueries = {
  /** The image's record, for one that no window holds; null: there is no image of this name. */
  record: (imageName: string) =>
    queryOptions({
      queryKey: imageKeys.record(imageName),
      queryFn: ({ signal }) => gallery.images.get(imageName, { signal }),
    }),

  /** What its file says about how it was made; null where it says nothing. It never changes. */
  normal: (imageName: string) =>
    queryOptions({
      queryKey: ['metadata', imageName] as const,
      queryFn: ({ signal }): Promise<NormalMetadata | null> =>
        gallery.images.metadata(imageName, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

/** The workflow that an image embeds, else its graph, as JSON text; null where it has neither. */
export async function getWorkflow(imageName: string): Promise<string | null> {
  const { workflow, graph } = await gallery.images.workflow(imageName)
  return workflow ?? graph
}

/** Where the full resolution and the thumbnails of an image are. */
export const imageUrls = {
  full: gallery.images.fullUrl.bind(gallery.images),
  thumbnail: gallery.images.thumbnailUrl.bind(gallery.images),
}
