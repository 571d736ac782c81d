import { createImageEntry } from '#contract/image-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { defineRoute } from '#server/http/route.ts'

export const createImageEntryRoute = defineRoute(createImageEntry, async () => {
  throw new Refusal('not_implemented')
})
