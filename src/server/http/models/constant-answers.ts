import {
  getHuggingFaceStatus,
  listMissingModels,
  listModelInstalls,
} from '#contract/model-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listMissingModelsRoute = defineRoute(listMissingModels, async () => ({ models: [] }))

export const listModelInstallsRoute = defineRoute(listModelInstalls, async () => [])

export const getHuggingFaceStatusRoute = defineRoute(
  getHuggingFaceStatus,
  // Fastify would send a string unquoted.
  async (_parts, { reply }) => reply.type('application/json').send('"unknown"'),
)
