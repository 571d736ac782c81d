import { listImageNames } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { isLong, sendInPieces } from '#server/http/send-in-pieces.ts'
import { viewOf } from './view-of.ts'

export const listImageNamesRoute = defineRoute(
  listImageNames,
  async ({ images }, { query, reply }) => {
    const result = await images.names(viewOf(query))
    const { image_names, ...counts } = result
    if (!isLong(image_names)) return result
    const after = `,${JSON.stringify(counts).slice(1)}`
    return sendInPieces(reply, image_names, { before: '{"image_names":', after })
  },
)
