import { listMissingModels } from '#contract/model-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listMissingModelsRoute = defineRoute(listMissingModels, async () => ({ models: [] }))
