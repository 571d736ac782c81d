import { getHealth } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getHealthRoute = defineRoute(getHealth, async ({ images, about }) => {
  await images.countIntermediates() // throws where the library cannot be read
  return { status: 'ok' as const, version: about.version }
})
