import { MAX_WORKFLOWS } from '#contract/limits.ts'
import type { BodyOf, QueryOf } from '#contract/operation.ts'
import type {
  countWorkflowsByCategory,
  countWorkflowsByTag,
  createWorkflow,
  listWorkflows,
  listWorkflowTags,
  WorkflowPage,
  WorkflowRecord,
} from '#contract/server/workflow-operations.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { StoredWorkflow, WorkflowRecords, WorkflowSummary } from './workflow-ports.ts'

type Workflow = BodyOf<typeof createWorkflow>['workflow']

/** Workflows of graph editors, in the lists of InvokeAI. */
export class WorkflowService {
  readonly #records: WorkflowRecords
  readonly #newId: () => string

  constructor(records: WorkflowRecords, newId: () => string) {
    this.#records = records
    this.#newId = newId
  }

  async list(query: QueryOf<typeof listWorkflows>): Promise<WorkflowPage> {
    const { page = 0, order_by = 'name', direction = 'ASC' } = query
    const found = await this.#found(query)
    const sorted = found.toSorted((one, other) => compare(one[order_by], other[order_by]))
    if (direction === 'DESC') sorted.reverse()
    const { per_page = found.length } = query
    return {
      ...{ page, per_page, total: found.length },
      pages: query.per_page === undefined ? 1 : Math.ceil(found.length / per_page),
      items: sorted.slice(page * per_page, (page + 1) * per_page).map(itemOf),
    }
  }

  /** @throws {Refusal} `workflow_not_found` */
  async get(workflowId: string): Promise<WorkflowRecord> {
    const stored = await this.#records.get(workflowId)
    if (stored === null) throw new Refusal('workflow_not_found')
    return recordOf(stored)
  }

  /** @throws {Refusal} `body_too_large`: the maximum number is reached. `invalid_request`: a default workflow. */
  async create(workflow: Workflow): Promise<WorkflowRecord> {
    const workflow_id = this.#newId()
    const stored = { workflow_id, ...columnsOf(workflow, workflow_id) }
    if (!(await this.#records.add(stored, { maxWorkflows: MAX_WORKFLOWS }))) {
      throw new Refusal('body_too_large', `At most ${MAX_WORKFLOWS} workflows are kept.`)
    }
    return this.get(workflow_id)
  }

  /** @throws {Refusal} `workflow_not_found`, and `invalid_request` for a default workflow. */
  async update(workflowId: string, workflow: Workflow): Promise<WorkflowRecord> {
    found(await this.#records.update(workflowId, columnsOf(workflow, workflowId)))
    return this.get(workflowId)
  }

  /** @throws {Refusal} `workflow_not_found` */
  async setPublic(workflowId: string, is_public: boolean): Promise<WorkflowRecord> {
    found(await this.#records.update(workflowId, { is_public }))
    return this.get(workflowId)
  }

  /** @throws {Refusal} `workflow_not_found` */
  async markOpened(workflowId: string): Promise<void> {
    found(await this.#records.markOpened(workflowId))
  }

  /** @throws {Refusal} `workflow_not_found` */
  async delete(workflowId: string): Promise<void> {
    found(await this.#records.remove(workflowId))
  }

  async tags(query: QueryOf<typeof listWorkflowTags>): Promise<string[]> {
    const all = (await this.#found(query)).flatMap(tagsOf)
    return [...new Set(all)].sort(compare)
  }

  async countsByTag({ tags, ...query }: QueryOf<typeof countWorkflowsByTag>) {
    const all = await this.#found(query)
    const count = (tag: string) => all.filter((one) => hasTag(one, tag)).length
    return Object.fromEntries(tags.map((tag) => [tag, count(tag)]))
  }

  async countsByCategory({ categories, ...query }: QueryOf<typeof countWorkflowsByCategory>) {
    const all = await this.#found(query)
    const count = (wanted: string) => all.filter(({ category }) => category === wanted).length
    return Object.fromEntries(categories.map((category) => [category, count(category)]))
  }

  async #found(filter: Filter): Promise<WorkflowSummary[]> {
    return (await this.#records.list()).filter((one) => matches(filter, one))
  }
}

type Filter = Partial<
  Pick<
    QueryOf<typeof listWorkflows>,
    'categories' | 'has_been_opened' | 'is_public' | 'tags' | 'query'
  >
>

const matches = (
  { categories = [], tags = [], query = '', has_been_opened, is_public }: Filter,
  one: WorkflowSummary,
): boolean =>
  (categories.length === 0 || categories.includes(one.category)) &&
  (tags.length === 0 || tags.some((tag) => hasTag(one, tag))) &&
  (has_been_opened ?? one.opened_at !== null) === (one.opened_at !== null) &&
  (is_public ?? one.is_public) === one.is_public &&
  `${one.name}\n${one.description}\n${one.tags}`.toLowerCase().includes(query.trim().toLowerCase())

const tagsOf = ({ tags }: Pick<WorkflowSummary, 'tags'>): string[] =>
  tags.split(',').flatMap((tag) => tag.trim() || [])

const hasTag = (one: WorkflowSummary, tag: string): boolean =>
  tagsOf(one).some((own) => own.toLowerCase() === tag.trim().toLowerCase())

type Sorted = string | number | boolean | null

/** null comes first. Names are compared without case. */
const compare = (one: Sorted, other: Sorted): number =>
  typeof one === 'string' && typeof other === 'string'
    ? one.toLowerCase().localeCompare(other.toLowerCase(), 'en')
    : Number(one) - Number(other)

const found = (isFound: boolean): void => {
  if (!isFound) throw new Refusal('workflow_not_found')
}

const columnsOf = (workflow: Workflow, id: string) => {
  const { name, description, tags, meta } = workflow
  if (meta.category === 'default') {
    throw new Refusal('invalid_request', 'Default workflows may not be created via this method')
  }
  const json = JSON.stringify({ ...workflow, id })
  return { name, description, tags, category: 'user' as const, workflow: json }
}

const shared = (stored: WorkflowSummary) => ({
  workflow_id: stored.workflow_id,
  name: stored.name,
  created_at: renderTimestamp(stored.created_at),
  updated_at: renderTimestamp(stored.updated_at),
  opened_at: stored.opened_at === null ? null : renderTimestamp(stored.opened_at),
  user_id: 'system',
  is_public: stored.is_public,
  thumbnail_url: null,
})

const itemOf = (stored: WorkflowSummary) => {
  const { description, category, tags } = stored
  return { ...shared(stored), description, category, tags }
}

const recordOf = (stored: StoredWorkflow): WorkflowRecord => ({
  ...shared(stored),
  workflow: JSON.parse(stored.workflow),
})
