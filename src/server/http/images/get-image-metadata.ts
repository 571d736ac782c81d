import { getImageMetadata, listImageMetadata } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendJsonText } from '#server/http/send-in-pieces.ts'

export const getImageMetadataRoute = defineRoute(
  getImageMetadata,
  async ({ images }, { params, query, reply }) => {
    const json = await images.metadataJson(params.image_name, query.form)
    return json && sendJsonText(reply, json)
  },
)

export const listImageMetadataRoute = defineRoute(listImageMetadata, ({ images }, { body }) =>
  images.listMetadata(body.image_names),
)
