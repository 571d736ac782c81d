import {
  copyImages,
  countIntermediates,
  createImageEntry,
  deleteImage,
  deleteImages,
  deleteIntermediates,
  deleteUncategorizedImages,
  getFullImage,
  getImage,
  getImageMetadata,
  getImagePosition,
  getImageUrls,
  getImageWorkflow,
  getThumbnail,
  listImageDays,
  listImageFacets,
  listImageInsights,
  listImageMetadata,
  listImageNames,
  listImageRatios,
  listImages,
  listImagesByNames,
  rateImages,
  starImages,
  tagImages,
  unstarImages,
  updateImage,
} from '#contract/image-operations.ts'
import { imageUrls } from '#contract/image-urls.ts'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isLong, sendInPieces, sendJsonText, sendNames } from '#server/http/bytes/send-in-pieces.ts'
import { sendOriginal } from '#server/http/bytes/send-original.ts'
import { sendThumbnail } from '#server/http/bytes/send-thumbnail.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const imageRoutes: readonly Route[] = [
  defineRoute(listImages, async ({ images }, { query, reply }) => {
    const { offset = 0, limit = DEFAULT_PAGE_LIMIT, after } = query
    const window = after === undefined ? { offset, limit } : { after, limit }
    const { items, total, totalBytes, videoCount } = await images.page(viewOf(query), window)
    const ofBoth = query.kind === 'all' ? { video_total: videoCount } : {}
    const head = { limit, offset, total, ...ofBoth, total_bytes: totalBytes }
    if (!isLong(items)) return { ...head, items }
    const before = `${JSON.stringify(head).slice(0, -1)},"items":`
    return sendInPieces(reply, items, { before, after: '}' })
  }),
  defineRoute(listImageNames, async ({ records }, { query, reply }) => {
    const { image_names, ...counts } = await records.images.names(viewOf(query))
    const after = `,${JSON.stringify(counts).slice(1)}`
    return sendNames(reply, image_names, { before: '{"image_names":', after })
  }),
  defineRoute(listImagesByNames, async ({ images }, { query, body, reply }) => {
    const records = await images.listByNames(body.image_names, query.kind)
    return isLong(records) ? sendInPieces(reply, records) : records
  }),
  defineRoute(listImageDays, ({ images }, { query }) => {
    const { order_by = 'created_at', time_zone = 'UTC' } = query
    return images.days({ ...viewOf(query), orderBy: order_by }, time_zone)
  }),
  defineRoute(listImageRatios, ({ images }, { query }) =>
    images.ratios(viewOf(query), query.time_zone),
  ),
  defineRoute(listImageFacets, ({ images }, { query }) => {
    const { facets, text, limit = 20, time_zone = 'UTC', alternatives = true } = query
    const options = { keys: facets, text, limit, timeZone: time_zone, alternatives }
    return images.facets(viewOf(query), options)
  }),
  defineRoute(listImageInsights, ({ images }, { query: { insights, limit = 20, ...query } }) =>
    images.insights(viewOf(query), { keys: insights, limit }),
  ),
  defineRoute(getImagePosition, ({ images }, { params, query }) =>
    images.position(viewOf(query), params.image_name),
  ),
  defineRoute(getImage, ({ images }, { params, query }) =>
    images.get(params.image_name, query.kind),
  ),
  defineRoute(getImageMetadata, async ({ images }, { params, query, reply }) => {
    const json = await images.metadataJson(params.image_name, query.form, query.kind)
    return json && sendJsonText(reply, json)
  }),
  defineRoute(listImageMetadata, ({ records }, { body }) =>
    records.images.listMetadata(body.image_names),
  ),
  defineRoute(getImageWorkflow, async ({ images }, { params, query, reply }) =>
    sendJsonText(reply, await images.workflowJson(params.image_name, query.kind)),
  ),
  // Unknown names have URLs too, as in InvokeAI.
  defineRoute(getImageUrls, async (_parts, { params }) => imageUrls(params.image_name)),
  defineRoute(
    getFullImage,
    async (parts, { params, query, request, reply }) => {
      const image = await parts.images.get(params.image_name)
      const original = { ...image, name: image.image_name }
      return sendOriginal(parts, request, reply, original, { isDownload: query.download })
    },
    { hasHead: true },
  ),
  defineRoute(getThumbnail, (parts, { params, query, request, reply }) => {
    if (isVideoName(params.image_name)) throw new Refusal('image_not_found')
    return sendThumbnail(parts, request, reply, params.image_name, { sizePx: query.size })
  }),
  defineRoute(createImageEntry, async () => {
    throw new Refusal('not_implemented')
  }),
  defineRoute(updateImage, ({ images }, { params, query, body }) =>
    images.update(params.image_name, body, query.kind),
  ),
  defineRoute(starImages, ({ images }, { query, body }) =>
    images.star(body.image_names, query.kind),
  ),
  defineRoute(unstarImages, ({ images }, { query, body }) =>
    images.unstar(body.image_names, query.kind),
  ),
  defineRoute(rateImages, ({ images }, { body }) => images.rate(body.image_names, body.rating)),
  defineRoute(tagImages, ({ tags }, { body }) => {
    const { image_names, add = [], remove = [] } = body
    return tags.apply(image_names, { add, remove })
  }),
  defineRoute(copyImages, ({ copies }, { body }) => copies.copy(body.image_names, body.board_id)),
  defineRoute(deleteImage, ({ images }, { params }) => images.deleteOne(params.image_name)),
  defineRoute(deleteImages, ({ images }, { query, body }) =>
    images.delete(body.image_names, query.kind),
  ),
  defineRoute(deleteUncategorizedImages, ({ images }) => images.deleteUncategorized()),
  defineRoute(countIntermediates, ({ records }) => records.images.countIntermediates()),
  defineRoute(deleteIntermediates, ({ images }) => images.deleteIntermediates()),
]
