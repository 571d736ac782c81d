import { listGalleryItemNames, listGalleryItemNamesOld } from '#contract/gallery-operations.ts'
import type { Parts } from '#server/http/parts.ts'
import type { Call } from '#server/http/route.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendNames } from '#server/http/send-in-pieces.ts'
import { galleryViewOf } from './gallery-view-of.ts'

const answer = async (
  { gallery }: Parts,
  { query, reply }: Pick<Call<typeof listGalleryItemNames>, 'query' | 'reply'>,
) => {
  const { item_names, ...counts } = await gallery.itemNames(
    galleryViewOf(query),
    query.created_date,
  )
  const after = `,${JSON.stringify(counts).slice(1)}`
  return sendNames(reply, item_names, { before: '{"item_names":', after })
}

export const listGalleryItemNamesRoute = defineRoute(listGalleryItemNames, answer)

export const listGalleryItemNamesOldRoute = defineRoute(listGalleryItemNamesOld, answer)
