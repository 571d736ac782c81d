import { listImagesByNames } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { isLong, sendInPieces } from '#server/http/send-in-pieces.ts'

export const listImagesByNamesRoute = defineRoute(
  listImagesByNames,
  async ({ images }, { body, reply }) => {
    const records = await images.listByNames(body.image_names)
    return isLong(records) ? sendInPieces(reply, records) : records
  },
)
