import Type, { type Static } from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { Workflow } from '#contract/queue/queue.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

const define = operationsOf({ tag: 'workflows' })

const WorkflowCategory = Type.Enum(['user', 'default'])

const summary = {
  workflow_id: Type.String(),
  name: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  opened_at: Nullable(Timestamp),
  user_id: Type.String({ description: 'Always `system`: this server has no accounts' }),
  is_public: Type.Boolean(),
}

/** A stored workflow of a graph editor. Tessera does not execute it. */
export const WorkflowRecord = Type.Object({
  ...summary,
  workflow: Type.Record(Type.String(), Type.Unknown(), {
    description: 'As it was sent, with its `id`',
  }),
  thumbnail_url: Nullable(Type.String({ description: 'Always null: no thumbnails are stored' })),
})
export type WorkflowRecord = Static<typeof WorkflowRecord>

const WorkflowListItem = Type.Object({
  ...summary,
  description: Type.String(),
  category: WorkflowCategory,
  tags: Type.String({ description: 'Separated by commas' }),
  thumbnail_url: Nullable(Type.String()),
})

/** A page of workflows by number. Without `per_page` there is one page. */
export const WorkflowPage = Type.Object({
  page: Type.Integer(),
  pages: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(WorkflowListItem),
})
export type WorkflowPage = Static<typeof WorkflowPage>

const filter = {
  categories: Type.Optional(Type.Array(WorkflowCategory)),
  has_been_opened: Type.Optional(Type.Boolean()),
  is_public: Type.Optional(Type.Boolean()),
}

export const listWorkflows = define('GET', '/api/v1/workflows/', {
  operationId: 'list_workflows',
  summary: 'Returns a page of the stored workflows',
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    per_page: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: all' })),
    order_by: Type.Optional(
      Type.Enum(['created_at', 'updated_at', 'opened_at', 'name', 'is_public'], {
        default: 'name',
      }),
    ),
    direction: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'ASC' })),
    ...filter,
    tags: Type.Optional(Type.Array(Type.String(), { description: 'At least one of them' })),
    query: Type.Optional(Type.String({ description: 'In name, description or tags' })),
  }),
  answers: { 200: WorkflowPage },
})

export const listWorkflowTags = define('GET', '/api/v1/workflows/tags', {
  operationId: 'get_all_tags',
  summary: 'Lists the tags of the stored workflows in order',
  query: Type.Object({ categories: filter.categories, is_public: filter.is_public }),
  answers: { 200: Type.Array(Type.String()) },
})

export const countWorkflowsByTag = define('GET', '/api/v1/workflows/counts_by_tag', {
  operationId: 'get_counts_by_tag',
  summary: 'Counts the stored workflows by tag',
  query: Type.Object({ tags: Type.Array(Type.String()), ...filter }),
  answers: { 200: Type.Record(Type.String(), Type.Integer()) },
})

export const countWorkflowsByCategory = define('GET', '/api/v1/workflows/counts_by_category', {
  operationId: 'counts_by_category',
  summary: 'Counts the stored workflows by category',
  query: Type.Object({ ...filter, categories: Type.Array(WorkflowCategory) }),
  answers: { 200: Type.Record(Type.String(), Type.Integer()) },
})

export const createWorkflow = define('POST', '/api/v1/workflows/', {
  operationId: 'create_workflow',
  summary: 'Stores a workflow',
  body: Type.Object({ workflow: Workflow }),
  answers: { 200: WorkflowRecord },
  refusals: ['body_too_large', 'disk_full'],
})

const ofOne = operationsOf({
  tag: 'workflows',
  params: Type.Object({ workflow_id: Type.String() }),
  refusals: ['workflow_not_found'],
})

const PATH = '/api/v1/workflows/i/{workflow_id}'

export const getWorkflow = ofOne('GET', PATH, {
  operationId: 'get_workflow',
  summary: 'Returns a stored workflow',
  answers: { 200: WorkflowRecord },
})

export const updateWorkflow = ofOne('PATCH', PATH, {
  operationId: 'update_workflow',
  summary: 'Replaces a stored workflow',
  body: Type.Object({ workflow: Workflow }),
  answers: { 200: WorkflowRecord },
  refusals: ['workflow_not_found', 'body_too_large', 'disk_full'],
})

export const deleteWorkflow = ofOne('DELETE', PATH, {
  operationId: 'delete_workflow',
  summary: 'Deletes a stored workflow permanently',
  answers: { 200: Type.Null() },
})

export const setWorkflowPublic = ofOne('PATCH', `${PATH}/is_public`, {
  operationId: 'update_workflow_is_public',
  summary: 'Stores whether a workflow is shared. It has no effect, because there are no accounts',
  body: Type.Object({ is_public: Type.Boolean() }),
  answers: { 200: WorkflowRecord },
})

export const markWorkflowOpened = ofOne('PUT', `${PATH}/opened_at`, {
  operationId: 'update_opened_at',
  summary: 'Stores that a workflow was opened now',
  answers: { 200: Type.Null() },
})
