import { getHealth } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getHealthRoute = defineRoute(getHealth, async ({ images, about, state }) => {
  await images.countIntermediates() // throws if the library cannot be read
  const detail = state.text
  const status = detail === null ? ('ok' as const) : ('read_only' as const)
  return { status, detail, version: about.version }
})
