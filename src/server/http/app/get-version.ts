import { getVersion } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getVersionRoute = defineRoute(getVersion, async ({ about }) => ({
  version: about.version,
}))
