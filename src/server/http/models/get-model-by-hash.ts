import { getModelByHash } from '#contract/model-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getModelByHashRoute = defineRoute(getModelByHash, ({ models }, { query }) =>
  models.getByHash(query.hash),
)
