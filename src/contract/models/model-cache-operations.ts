import Type from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'
import { ModelCacheStats, ModelRecord } from './model.ts'

const define = operationsOf({ tag: 'models' })

export const loadModel = define('POST', '/api/v1/models/load', {
  operationId: 'load_model',
  summary: 'Loads a model into memory',
  body: Type.Object({ key: Type.String() }),
  answers: { 200: ModelRecord },
  refusals: [
    'model_not_found',
    'model_format_not_supported',
    'model_runtime_missing',
    'model_load_failed',
  ],
  extension: true,
})

export const getModelStats = define('GET', '/api/v2/models/stats', {
  operationId: 'get_stats',
  summary: 'Returns statistics of the models in memory',
  answers: { 200: Nullable(ModelCacheStats) },
})

export const emptyModelCache = define('POST', '/api/v2/models/empty_model_cache', {
  operationId: 'empty_model_cache',
  summary: 'Unloads all models that are not in use',
  answers: { 200: Type.Null() },
})
