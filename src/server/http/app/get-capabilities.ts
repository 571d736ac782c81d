import { getCapabilities } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getCapabilitiesRoute = defineRoute(getCapabilities, async ({ about }) => about)
