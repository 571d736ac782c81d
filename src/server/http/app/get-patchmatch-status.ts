import { getPatchmatchStatus } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getPatchmatchStatusRoute = defineRoute(getPatchmatchStatus, async () => false)
