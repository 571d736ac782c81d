import {
  countWorkflowsByCategory,
  countWorkflowsByTag,
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  listWorkflowTags,
  markWorkflowOpened,
  setWorkflowPublic,
  updateWorkflow,
} from '#contract/server/workflow-operations.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const workflowRoutes: readonly Route[] = [
  defineRoute(listWorkflows, ({ workflows }, { query }) => workflows.list(query)),
  defineRoute(listWorkflowTags, ({ workflows }, { query }) => workflows.tags(query)),
  defineRoute(countWorkflowsByTag, ({ workflows }, { query }) => workflows.countsByTag(query)),
  defineRoute(countWorkflowsByCategory, ({ workflows }, { query }) =>
    workflows.countsByCategory(query),
  ),
  defineRoute(createWorkflow, ({ workflows }, { body }) => workflows.create(body.workflow)),
  defineRoute(getWorkflow, ({ workflows }, { params }) => workflows.get(params.workflow_id)),
  defineRoute(updateWorkflow, ({ workflows }, { params, body }) =>
    workflows.update(params.workflow_id, body.workflow),
  ),
  defineRoute(deleteWorkflow, ({ workflows }, { params }) => workflows.delete(params.workflow_id)),
  defineRoute(setWorkflowPublic, ({ workflows }, { params, body }) =>
    workflows.setPublic(params.workflow_id, body.is_public),
  ),
  defineRoute(markWorkflowOpened, ({ workflows }, { params }) =>
    workflows.markOpened(params.workflow_id),
  ),
]
