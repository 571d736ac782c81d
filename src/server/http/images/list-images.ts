import { listImages } from '#contract/image-operations.ts'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import { defineRoute } from '#server/http/route.ts'
import { isLong, sendInPieces } from '#server/http/send-in-pieces.ts'
import { viewOf } from './view-of.ts'

export const listImagesRoute = defineRoute(listImages, async ({ images }, { query, reply }) => {
  const { offset = 0, limit = DEFAULT_PAGE_LIMIT, after } = query
  const window = after === undefined ? { offset, limit } : { after, limit }
  const { items, total, totalBytes } = await images.page(viewOf(query), window)
  const head = { limit, offset, total, total_bytes: totalBytes }
  if (!isLong(items)) return { ...head, items }
  const before = `${JSON.stringify(head).slice(0, -1)},"items":`
  return sendInPieces(reply, items, { before, after: '}' })
})
