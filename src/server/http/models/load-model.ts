import { loadModel } from '#contract/model-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const loadModelRoute = defineRoute(loadModel, ({ models }, { body }) =>
  models.load(body.key),
)
