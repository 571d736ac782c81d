import { getImagePosition } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const getImagePositionRoute = defineRoute(
  getImagePosition,
  ({ images }, { params, query }) => images.position(viewOf(query), params.image_name),
)
