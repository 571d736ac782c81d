import type { Route } from '#server/http/route.ts'
import {
  getHuggingFaceStatusRoute,
  listMissingModelsRoute,
  listModelInstallsRoute,
} from './constant-answers.ts'
import { emptyModelCacheRoute } from './empty-model-cache.ts'
import { getModelRoute, getModelV1Route } from './get-model.ts'
import { getModelByAttributesRoute } from './get-model-by-attributes.ts'
import { getModelByHashRoute } from './get-model-by-hash.ts'
import { getModelStatsRoute } from './get-model-stats.ts'
import { listModelsRoute, listModelsV1Route } from './list-models.ts'
import { loadModelRoute } from './load-model.ts'

/** The models: what there is, and what is in memory. */
export const modelRoutes: readonly Route[] = [
  emptyModelCacheRoute,
  getHuggingFaceStatusRoute,
  getModelByAttributesRoute,
  getModelByHashRoute,
  getModelRoute,
  getModelStatsRoute,
  getModelV1Route,
  listMissingModelsRoute,
  listModelInstallsRoute,
  listModelsRoute,
  listModelsV1Route,
  loadModelRoute,
]
