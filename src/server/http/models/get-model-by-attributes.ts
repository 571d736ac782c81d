import { getModelByAttributes } from '#contract/model-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getModelByAttributesRoute = defineRoute(
  getModelByAttributes,
  ({ models }, { query }) => models.getByAttributes(query),
)
