import { listImageNames } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendNames } from '#server/http/send-in-pieces.ts'
import { viewOf } from './view-of.ts'

export const listImageNamesRoute = defineRoute(
  listImageNames,
  async ({ images }, { query, reply }) => {
    const { image_names, ...counts } = await images.names(viewOf(query))
    const after = `,${JSON.stringify(counts).slice(1)}`
    return sendNames(reply, image_names, { before: '{"image_names":', after })
  },
)
