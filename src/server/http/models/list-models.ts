import { listModels, listModelsV1 } from '#contract/model-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import type { Parts } from '#server/http/parts.ts'
import { defineRoute } from '#server/http/route.ts'

const answer = async ({ models }: Parts, { query }: { query: QueryOf<typeof listModels> }) => ({
  models: await models.list({
    bases: query.base_models,
    type: query.model_type,
    name: query.model_name,
    format: query.model_format,
    orderBy: query.order_by ?? 'name',
    direction: query.direction ?? 'ASC',
  }),
})

export const listModelsRoute = defineRoute(listModels, answer)

export const listModelsV1Route = defineRoute(listModelsV1, answer)
