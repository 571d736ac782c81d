import { countIntermediates } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const countIntermediatesRoute = defineRoute(countIntermediates, ({ images }) =>
  images.countIntermediates(),
)
