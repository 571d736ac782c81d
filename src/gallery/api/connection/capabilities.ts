import { queryOptions, useQuery } from '@tanstack/react-query'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import type { Capabilities, Extension } from '#contract/server/app-operations.ts'
import { gallery, queryClient } from './connection.ts'

/** The capabilities of the server: its kind, extensions and limits. They do not change while the page is open. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: () => gallery.server.capabilities(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Returns the capabilities of the server; undefined only before the first render. */
export const useCapabilities = (): Capabilities | undefined => useQuery(capabilitiesQuery).data

/** Returns true if the server has an extension. */
export const useHasExtension = (name: Extension): boolean =>
  useCapabilities()?.extensions.includes(name) ?? false

/** Returns true if the server has an extension. For use outside of components. False before the first render. */
export const hasExtension = (name: Extension): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.extensions.includes(name) ?? false

/** Returns true if the server is InvokeAI, with or without Tessera in front of it. False before the first render. */
export const isInvokeAi = (): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.server === 'invokeai'

/** Returns the maximum number of image names per request. */
export const maxNamesPerRequest = (): number =>
  queryClient.getQueryData(capabilitiesQuery.queryKey)?.limits.max_names_per_request ??
  INVOKEAI_LIMITS.namesPerRequest

/** Returns true if the capabilities are loaded. */
export const areCapabilitiesKnown = (): boolean =>
  queryClient.getQueryData(capabilitiesQuery.queryKey) !== undefined
