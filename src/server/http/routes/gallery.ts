import type { FastifyReply } from 'fastify'
import {
  listGalleryItemNames,
  listGalleryItemNamesOld,
  listGalleryItems,
  listItemNamesByDate,
} from '#contract/gallery-operations.ts'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import type { QueryOf } from '#contract/operation.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { GalleryService } from '#server/core/images/gallery-service.ts'
import type { JsonText, View } from '#server/core/images/image-ports.ts'
import { sendNames } from '#server/http/bytes/send-in-pieces.ts'
import type { Parts } from '#server/http/parts.ts'
import { type Call, defineRoute, type Route } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

/** Routes of InvokeAI's gallery, which lists images and videos together. */
export const galleryRoutes: readonly Route[] = [
  defineRoute(listGalleryItems, async ({ gallery }, { query }) => {
    const { offset = 0, limit = DEFAULT_PAGE_LIMIT, created_date } = query
    const page = await gallery.items(galleryViewOf(query), { offset, limit }, created_date)
    return { limit, offset, total: page.total, items: page.items }
  }),
  defineRoute(listGalleryItemNames, answerNames),
  defineRoute(listGalleryItemNamesOld, async ({ gallery }, { query }) => {
    const names = await gallery.itemNames(galleryViewOf(query), query.created_date)
    const { item_names, ...counts } = names
    const items = JSON.parse(await textOf(item_names)) as string[]
    return {
      items: items.map((name) => ({ kind: isVideoName(name) ? 'video' : 'image', name }) as const),
      ...counts,
    }
  }),
  defineRoute(listItemNamesByDate, ({ gallery }, { params, query, reply }) => {
    const view = viewOf({ starred_first: true, ...query, is_intermediate: false })
    return sendItemNames(reply, gallery.itemNames(view, params.date))
  }),
]

async function answerNames(
  { gallery }: Parts,
  { query, reply }: Pick<Call<typeof listGalleryItemNames>, 'query' | 'reply'>,
) {
  return sendItemNames(reply, gallery.itemNames(galleryViewOf(query), query.created_date))
}

const textOf = async ({ pieces }: JsonText): Promise<string> =>
  Buffer.concat(await Array.fromAsync(pieces)).toString()

async function sendItemNames(reply: FastifyReply, names: ReturnType<GalleryService['itemNames']>) {
  const { item_names, ...counts } = await names
  const after = `,${JSON.stringify(counts).slice(1)}`
  return sendNames(reply, item_names, { before: '{"item_names":', after })
}

/** Returns the view of a gallery query. InvokeAI calls the key `origin` here and `image_origin` for images. */
const galleryViewOf = ({ origin, ...query }: QueryOf<typeof listGalleryItemNames>): View =>
  viewOf({ ...query, ...(origin && { image_origin: origin }) })
