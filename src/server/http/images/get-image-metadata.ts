import { getImageMetadata, listImageMetadata } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getImageMetadataRoute = defineRoute(
  getImageMetadata,
  async ({ images }, { params, query, reply }) => {
    const json = await images.metadataJson(params.image_name, query.form)
    // Text with a JSON type is sent as it is.
    return reply.type('application/json').send(json)
  },
)

export const listImageMetadataRoute = defineRoute(listImageMetadata, ({ images }, { body }) =>
  images.listMetadata(body.image_names),
)
