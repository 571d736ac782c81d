import {
  emptyModelCache,
  getModelStats,
  loadModel,
} from '#contract/models/model-cache-operations.ts'
import {
  getHuggingFaceStatus,
  getModel,
  getModelByAttributes,
  getModelByHash,
  getModelV1,
  listMissingModels,
  listModelInstalls,
  listModels,
  listModelsV1,
} from '#contract/models/model-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import type { Parts } from '#server/http/parts.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const modelRoutes: readonly Route[] = [
  defineRoute(emptyModelCache, ({ models }) => models.emptyCache()),
  defineRoute(
    getHuggingFaceStatus,
    // Fastify would send a string without quotes.
    async (_parts, { reply }) => reply.type('application/json').send('"unknown"'),
  ),
  defineRoute(getModelByAttributes, ({ models }, { query }) => models.getByAttributes(query)),
  defineRoute(getModelByHash, ({ models }, { query }) => models.getByHash(query.hash)),
  defineRoute(getModel, answerModel),
  defineRoute(getModelStats, async ({ models }) => models.stats()),
  defineRoute(getModelV1, answerModel),
  defineRoute(listMissingModels, async () => ({ models: [] })),
  defineRoute(listModelInstalls, async () => []),
  defineRoute(listModels, answerList),
  defineRoute(listModelsV1, answerList),
  defineRoute(loadModel, ({ models }, { body }) => models.load(body.key)),
]

function answerModel({ models }: Parts, { params }: { params: { key: string } }) {
  return models.get(params.key)
}

async function answerList({ models }: Parts, { query }: { query: QueryOf<typeof listModels> }) {
  return { models: await models.list(query) }
}
