import { getLoggingLevel } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

/** Python's number for the level `info`. */
const INFO = 20

export const getLoggingLevelRoute = defineRoute(getLoggingLevel, async () => INFO)
