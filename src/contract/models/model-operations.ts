import Type from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { ModelBase, ModelFormat, ModelOrder, ModelRecord, ModelType } from './model.ts'

const define = operationsOf({ tag: 'models' })

const ModelList = Type.Object({ models: Type.Array(ModelRecord) })

/** InvokeAI's path. For the path of the specification, InvokeAI answers its HTML page. */
export const listModels = define('GET', '/api/v2/models/', {
  operationId: 'list_model_records',
  summary: 'Lists the models by name',
  query: Type.Object({
    base_models: Type.Optional(Type.Array(ModelBase)),
    model_type: Type.Optional(ModelType),
    model_name: Type.Optional(Type.String()),
    model_format: Type.Optional(ModelFormat),
    order_by: Type.Optional(Type.Enum([...ModelOrder.enum], { default: 'name' })),
    direction: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'ASC' })),
  }),
  answers: { 200: ModelList },
})

/** The path of the specification. */
export const listModelsV1 = define('GET', '/api/v1/models/', {
  ...listModels,
  operationId: 'list_model_records_v1',
  extension: true,
})

export const getModel = define('GET', '/api/v2/models/i/{key}', {
  operationId: 'get_model_record',
  summary: 'Returns a model',
  params: Type.Object({ key: Type.String() }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

/** The path of the specification. */
export const getModelV1 = define('GET', '/api/v1/models/i/{key}', {
  ...getModel,
  operationId: 'get_model_record_v1',
  extension: true,
})

export const getModelByAttributes = define('GET', '/api/v2/models/get_by_attrs', {
  operationId: 'get_model_records_by_attrs',
  summary: 'Returns the model with this name, type and base',
  query: Type.Object({ name: Type.String(), type: ModelType, base: ModelBase }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

export const getModelByHash = define('GET', '/api/v2/models/get_by_hash', {
  operationId: 'get_model_records_by_hash',
  summary: 'Returns the model with this hash',
  query: Type.Object({ hash: Type.String() }),
  answers: { 200: ModelRecord },
  refusals: ['model_not_found'],
})

export const listMissingModels = define('GET', '/api/v2/models/missing', {
  operationId: 'list_missing_models',
  summary:
    'Lists models without a file: always empty, because the record of a model goes with its file',
  answers: { 200: ModelList },
})

export const listModelInstalls = define('GET', '/api/v2/models/install', {
  operationId: 'list_model_installs',
  summary:
    'Lists running installations: always empty, because models are installed by copying files',
  answers: { 200: Type.Array(ModelRecord) },
})

export const getHuggingFaceStatus = define('GET', '/api/v2/models/hf_login', {
  operationId: 'get_hf_login_status',
  summary:
    'Returns the state of the Hugging Face token: always `unknown`, because this server has no token',
  answers: { 200: Type.Enum(['valid', 'invalid', 'unknown']) },
})
