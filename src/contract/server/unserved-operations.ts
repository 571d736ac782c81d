import Type, { type TObject } from 'typebox'
import { defineOperation, type Operation } from '#contract/operation.ts'

/*
 * Features of InvokeAI that this server lacks, as far as InvokeAI's web page requests them when it starts. Lists are
 * empty. Unsupported changes answer 501.
 */

const WorkflowCategory = Type.Enum(['user', 'default', 'project'])

const paged = { page: Type.Integer(), pages: Type.Integer(), per_page: Type.Integer() }

export const listWorkflows = defineOperation({
  operationId: 'list_workflows',
  method: 'GET',
  path: '/api/v1/workflows/',
  summary: 'Returns an empty page, because this server stores only workflows of images',
  tag: 'app',
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    per_page: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  answers: {
    200: Type.Object({ ...paged, total: Type.Integer(), items: Type.Array(Type.Null()) }),
  },
  refusals: [],
})

export const countWorkflowsByCategory = defineOperation({
  operationId: 'counts_by_category',
  method: 'GET',
  path: '/api/v1/workflows/counts_by_category',
  summary: 'Counts the stored workflows by category: always 0',
  tag: 'app',
  query: Type.Object({ categories: Type.Array(WorkflowCategory) }),
  answers: { 200: Type.Record(Type.String(), Type.Integer()) },
  refusals: [],
})

export const listStylePresets = defineOperation({
  operationId: 'list_style_presets',
  method: 'GET',
  path: '/api/v1/style_presets/',
  summary: 'Lists style presets: always empty',
  tag: 'app',
  answers: { 200: Type.Array(Type.Null()) },
  refusals: [],
})

export const listSystemPrompts = defineOperation({
  operationId: 'list_system_prompts',
  method: 'GET',
  path: '/api/v1/system_prompts/',
  summary: 'Lists system prompts: always empty',
  tag: 'app',
  answers: { 200: Type.Array(Type.Null()) },
  refusals: [],
})

export const listRelatedModels = defineOperation({
  operationId: 'get_related_models_batch',
  method: 'POST',
  path: '/api/v1/model_relationships/batch',
  summary: 'Lists models related to these models: always empty',
  tag: 'models',
  body: Type.Object({ model_keys: Type.Array(Type.String()) }),
  answers: { 200: Type.Array(Type.String()) },
  refusals: [],
})

export const listGenerationDevices = defineOperation({
  operationId: 'get_generation_device_options',
  method: 'GET',
  path: '/api/v1/app/generation_device_options',
  summary: 'Lists the devices of nodes: the CPU',
  tag: 'app',
  answers: { 200: Type.Array(Type.Object({ device: Type.String(), name: Type.String() })) },
  refusals: [],
})

export const listExternalProviders = defineOperation({
  operationId: 'get_external_provider_configs',
  method: 'GET',
  path: '/api/v1/app/external_providers/config',
  summary: 'Lists settings of external image services: always empty, because this server uses none',
  tag: 'app',
  answers: { 200: Type.Array(Type.Null()) },
  refusals: [],
})

export const listExternalProviderStatus = defineOperation({
  operationId: 'get_external_provider_statuses',
  method: 'GET',
  path: '/api/v1/app/external_providers/status',
  summary: 'Lists the state of external image services: always empty',
  tag: 'app',
  answers: { 200: Type.Array(Type.Null()) },
  refusals: [],
})

const paramsOf = (path: string): { params?: TObject } => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) }
}

const unserved = (
  operationId: string,
  [method, path]: readonly [Operation['method'], Operation['path']],
  reason: string,
): Operation => ({
  operationId,
  method,
  path,
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

/** Operations of InvokeAI that always answer 501, with the reasons. */
export const unservedOperations = new Map<Operation, string>(
  (
    [
      ['set_log_level', ['POST', '/api/v1/app/logging'], FLAGS],
      ['update_runtime_config', ['PATCH', '/api/v1/app/runtime_config'], FLAGS],
      [
        'set_external_provider_config',
        ['POST', '/api/v1/app/external_providers/config/{provider_id}'],
        PROVIDERS,
      ],
      [
        'reset_external_provider_config',
        ['DELETE', '/api/v1/app/external_providers/config/{provider_id}'],
        PROVIDERS,
      ],
      ['scan_for_models', ['GET', '/api/v2/models/scan_folder'], COPY_FILES],
      ['install_model', ['POST', '/api/v2/models/install'], COPY_FILES],
      ['update_model_record', ['PATCH', '/api/v2/models/i/{key}'], COPY_FILES],
      ['delete_model', ['DELETE', '/api/v2/models/i/{key}'], COPY_FILES],
      ['convert_model', ['PUT', '/api/v2/models/convert/{key}'], COPY_FILES],
      ['get_starter_models', ['GET', '/api/v2/models/starter_models'], NO_HUGGING_FACE],
      ['get_hugging_face_models', ['GET', '/api/v2/models/hugging_face'], NO_HUGGING_FACE],
      ['do_hf_login', ['POST', '/api/v2/models/hf_login'], NO_HUGGING_FACE],
      ['reset_hf_token', ['DELETE', '/api/v2/models/hf_login'], NO_HUGGING_FACE],
    ] as const
  ).map(([operationId, target, reason]) => [unserved(operationId, target, reason), reason]),
)
