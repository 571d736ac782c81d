import { queryOptions, useQuery } from '@tanstack/react-query'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import type { Capabilities, Extension } from '#contract/server/app-operations.ts'
import { gallery, queryClient } from './connection.ts'

/** Which server this is and what it adds to InvokeAI. It does not change while the page is open. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: () => gallery.server.capabilities(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** What the server can do; undefined only before the page is drawn. */
export const useCapabilities = (): Capabilities | undefined => useQuery(capabilitiesQuery).data

/** Whether the server has an extension. */
export const useHasExtension = (name: Extension): boolean =>
  useCapabilities()?.extensions.includes(name) ?? false

/** The same outside of components. False before the page is drawn. */
export const hasExtension = (name: Extension): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.extensions.includes(name) ?? false

/** Whether it is an InvokeAI, with or without a Tessera before it. False before the page is drawn. */
export const isInvokeAi = (): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.server === 'invokeai'

/** How many image names the server accepts in one request. */
export const maxNamesPerRequest = (): number =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.limits.max_names_per_request ??
  INVOKEAI_LIMITS.namesPerRequest

/** Whether the server has been asked. */
export const areCapabilitiesKnown = (): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey) !== undefined
