import Type from 'typebox'
import { defineOperation } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'
import { ModelCacheStats, ModelRecord } from './model.ts'

export const loadModel = defineOperation({
  operationId: 'load_model',
  method: 'POST',
  path: '/api/v1/models/load',
  summary: 'Loads a model into memory',
  tag: 'models',
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

export const getModelStats = defineOperation({
  operationId: 'get_stats',
  method: 'GET',
  path: '/api/v2/models/stats',
  summary: 'Returns statistics of the models in memory',
  tag: 'models',
  answers: { 200: Nullable(ModelCacheStats) },
  refusals: [],
})

export const emptyModelCache = defineOperation({
  operationId: 'empty_model_cache',
  method: 'POST',
  path: '/api/v2/models/empty_model_cache',
  summary: 'Unloads all models that are not in use',
  tag: 'models',
  answers: { 200: Type.Null() },
  refusals: [],
})
