import {
  countWorkflowsByCategory,
  listExternalProviderStatus,
  listExternalProviders,
  listGenerationDevices,
  listRelatedModels,
  listStylePresets,
  listSystemPrompts,
  listWorkflows,
  unservedOperations,
} from '#contract/server/unserved-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

const DEFAULT_PER_PAGE = 10

/** Operations of InvokeAI that this server does not support: lists are empty, and changes answer 501. */
export const unservedRoutes: readonly Route[] = [
  defineRoute(listWorkflows, async (_parts, { query }) => {
    const { page = 0, per_page = DEFAULT_PER_PAGE } = query
    return { page, pages: 0, per_page, total: 0, items: [] }
  }),
  defineRoute(countWorkflowsByCategory, async (_parts, { query }) =>
    Object.fromEntries(query.categories.map((category) => [category, 0])),
  ),
  defineRoute(listStylePresets, async () => []),
  defineRoute(listSystemPrompts, async () => []),
  defineRoute(listRelatedModels, async () => []),
  defineRoute(listGenerationDevices, async () => [{ device: 'cpu', name: 'CPU' }]),
  defineRoute(listExternalProviders, async () => []),
  defineRoute(listExternalProviderStatus, async () => []),
  ...[...unservedOperations].map(([operation, reason]) =>
    defineRoute(operation, async () => {
      throw new Refusal('not_implemented', `Not implemented. ${reason}`)
    }),
  ),
]
