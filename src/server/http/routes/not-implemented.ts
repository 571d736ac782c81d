import {
  listExternalProviderStatus,
  listExternalProviders,
  listGenerationDevices,
  listRelatedModels,
  listStylePresets,
  listSystemPrompts,
  unservedOperations,
} from '#contract/server/unserved-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

/** Operations of InvokeAI that this server does not support: lists are empty, and changes answer 501. */
export const unservedRoutes: readonly Route[] = [
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
