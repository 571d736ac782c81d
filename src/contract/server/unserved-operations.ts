import Type, { type TObject } from 'typebox'
import { type Operation, operationsOf } from '#contract/operation.ts'

/*
 * Features of InvokeAI that this server lacks, as far as InvokeAI's web page requests them when it starts. Lists are
 * empty. Unsupported changes answer 501.
 */

const define = operationsOf({ tag: 'app' })

export const listStylePresets = define('GET', '/api/v1/style_presets/', {
  operationId: 'list_style_presets',
  summary: 'Lists style presets: always empty',
  answers: { 200: Type.Array(Type.Null()) },
})

export const listSystemPrompts = define('GET', '/api/v1/system_prompts/', {
  operationId: 'list_system_prompts',
  summary: 'Lists system prompts: always empty',
  answers: { 200: Type.Array(Type.Null()) },
})

export const listRelatedModels = define('POST', '/api/v1/model_relationships/batch', {
  operationId: 'get_related_models_batch',
  summary: 'Lists models related to these models: always empty',
  tag: 'models',
  body: Type.Object({ model_keys: Type.Array(Type.String()) }),
  answers: { 200: Type.Array(Type.String()) },
})

export const listGenerationDevices = define('GET', '/api/v1/app/generation_device_options', {
  operationId: 'get_generation_device_options',
  summary: 'Lists the devices of nodes: the CPU',
  answers: { 200: Type.Array(Type.Object({ device: Type.String(), name: Type.String() })) },
})

export const listExternalProviders = define('GET', '/api/v1/app/external_providers/config', {
  operationId: 'get_external_provider_configs',
  summary: 'Lists settings of external image services: always empty, because this server uses none',
  answers: { 200: Type.Array(Type.Null()) },
})

export const listExternalProviderStatus = define('GET', '/api/v1/app/external_providers/status', {
  operationId: 'get_external_provider_statuses',
  summary: 'Lists the state of external image services: always empty',
  answers: { 200: Type.Array(Type.Null()) },
})

const paramsOf = (path: string): { params?: TObject } => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) }
}

const unserved = (
  operationId: string,
  method: Operation['method'],
  path: Operation['path'],
  reason: string,
): Operation =>
  define(method, path, {
    operationId,
    ...paramsOf(path),
    summary: `Not implemented. ${reason}`,
    tag: path.startsWith('/api/v2/models') ? 'models' : 'app',
    answers: { 200: Type.Null() },
    refusals: ['not_implemented'],
  })

const FLAGS = 'Tessera is set up with flags: see tessera --help.'
const PROVIDERS = 'Tessera uses no external image services.'
const COPY_FILES = 'Copy model files into the models folder, or remove them there.'
const NO_HUGGING_FACE = 'Tessera does not download models.'

const PROVIDER_PATH = '/api/v1/app/external_providers/config/{provider_id}'

/** Operations of InvokeAI that always answer 501, with the reasons. */
export const unservedOperations = new Map<Operation, string>(
  (
    [
      ['set_log_level', 'POST', '/api/v1/app/logging', FLAGS],
      ['update_runtime_config', 'PATCH', '/api/v1/app/runtime_config', FLAGS],
      ['set_external_provider_config', 'POST', PROVIDER_PATH, PROVIDERS],
      ['reset_external_provider_config', 'DELETE', PROVIDER_PATH, PROVIDERS],
      ['scan_for_models', 'GET', '/api/v2/models/scan_folder', COPY_FILES],
      ['install_model', 'POST', '/api/v2/models/install', COPY_FILES],
      ['update_model_record', 'PATCH', '/api/v2/models/i/{key}', COPY_FILES],
      ['delete_model', 'DELETE', '/api/v2/models/i/{key}', COPY_FILES],
      ['convert_model', 'PUT', '/api/v2/models/convert/{key}', COPY_FILES],
      ['get_starter_models', 'GET', '/api/v2/models/starter_models', NO_HUGGING_FACE],
      ['get_hugging_face_models', 'GET', '/api/v2/models/hugging_face', NO_HUGGING_FACE],
      ['do_hf_login', 'POST', '/api/v2/models/hf_login', NO_HUGGING_FACE],
      ['reset_hf_token', 'DELETE', '/api/v2/models/hf_login', NO_HUGGING_FACE],
    ] as const
  ).map(([id, method, path, reason]) => [unserved(id, method, path, reason), reason]),
)
