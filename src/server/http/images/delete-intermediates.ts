import { deleteIntermediates } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteIntermediatesRoute = defineRoute(deleteIntermediates, ({ images }) =>
  images.deleteIntermediates(),
)
