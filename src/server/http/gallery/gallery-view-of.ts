import type { listGalleryItemNames } from '#contract/gallery-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import type { View } from '#server/core/image-ports.ts'
import { viewOf } from '#server/http/images/view-of.ts'

/** The view that a gallery's query asks for: as for images, but for the name of one key (wire 2.4). */
export const galleryViewOf = ({ origin, ...query }: QueryOf<typeof listGalleryItemNames>): View =>
  viewOf({ ...query, ...(origin && { image_origin: origin }) })
