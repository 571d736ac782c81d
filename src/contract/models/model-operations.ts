import Type from 'typebox'
import { defineOperation } from '#contract/operation.ts'
import { ModelBase, ModelFormat, ModelOrder, ModelRecord, ModelType } from './model.ts'

const ModelList = Type.Object({ models: Type.Array(ModelRecord) })

/** InvokeAI's path. For the path of the specification, InvokeAI answers its HTML page. */
export const listModels = defineOperation({
  operationId: 'list_model_records',
  method: 'GET',
  path: '/api/v2/models/',
  summary: 'Lists the models by name',
  tag: 'models',
  query: Type.Object({
    base_models: Type.Optional(Type.Array(ModelBase)),
    model_type: Type.Optional(ModelType),
    model_name: Type.Optional(Type.String()),
    model_format: Type.Optional(ModelFormat),
    order_by: Type.Optional(Type.Enum([...ModelOrder.enum], { default: 'name' })),
    direction: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'ASC' })),
  }),
  answers: { 200: ModelList },
  refusals: [],
})

/** The path of the specification. */
export const listModelsV1 = defineOperation({
  ...listModels,
  operationId: 'list_model_records_v1',
  path: '/api/v1/models/',
  extension: true,
})

export const getModel = defineOperation({
  operationId: 'get_model_record',
  method: 'GET',
  path: '/api/v2/models/i/{key}',
  summary: 'Returns a model',
  tag: 'models',
  params: Type.Object({ key: Type.String() }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

/** The path of the specification. */
export const getModelV1 = defineOperation({
  ...getModel,
  operationId: 'get_model_record_v1',
  path: '/api/v1/models/i/{key}',
  extension: true,
})

export const getModelByAttributes = defineOperation({
  operationId: 'get_model_records_by_attrs',
  method: 'GET',
  path: '/api/v2/models/get_by_attrs',
  summary: 'Returns the model with this name, type and base',
  tag: 'models',
  query: Type.Object({ name: Type.String(), type: ModelType, base: ModelBase }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

export const getModelByHash = defineOperation({
  operationId: 'get_model_records_by_hash',
  method: 'GET',
  path: '/api/v2/models/get_by_hash',
  summary: 'Returns the model with this hash',
  tag: 'models',
  query: Type.Object({ hash: Type.String() }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

export const listMissingModels = defineOperation({
  operationId: 'list_missing_models',
  method: 'GET',
  path: '/api/v2/models/missing',
  summary:
    'Lists models without a file: always empty, because the record of a model goes with its file',
  tag: 'models',
  answers: { 200: ModelList },
  refusals: [],
})

export const listModelInstalls = defineOperation({
  operationId: 'list_model_installs',
  method: 'GET',
  path: '/api/v2/models/install',
  summary:
    'Lists running installations: always empty, because models are installed by copying files',
  tag: 'models',
  answers: { 200: Type.Array(ModelRecord) },
  refusals: [],
})

export const getHuggingFaceStatus = defineOperation({
  operationId: 'get_hf_login_status',
  method: 'GET',
  path: '/api/v2/models/hf_login',
  summary:
    'Returns the state of the Hugging Face token: always `unknown`, because this server has no token',
  tag: 'models',
  answers: { 200: Type.Enum(['valid', 'invalid', 'unknown']) },
  refusals: [],
})
