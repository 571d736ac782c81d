import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { GalleryApi } from './gallery-api.ts'
import { PartsContext } from './parts.ts'

const GalleryContext = createContext<GalleryApi | null>(null)

/** Hands the data layer down to the components. */
export function GalleryProvider({ api, children }: { api: GalleryApi; children: ReactNode }) {
  const parts = useMemo(() => partsOf(api), [api])
  return (
    <GalleryContext value={api}>
      <PartsContext value={parts}>
        <QueryClientProvider client={api.queryClient}>{children}</QueryClientProvider>
      </PartsContext>
    </GalleryContext>
  )
}

/** Returns the parts that hooks ask for by class. */
const partsOf = (api: GalleryApi) => ({
  client: api.client,
  parts: [
    api.capabilities,
    api.account,
    api.events,
    api.reachability,
    api.boardCache,
    api.boardQueries,
    api.trash,
    api.journal,
    api.outbox.worker,
    api.outbox.bulk,
    api.generations,
    api.queue,
    api.imports,
    api.searches,
    api.tags,
    api.uploads.store,
    api.demo,
  ],
})

/** Returns the data layer. The same object during the life of the page. */
export function useGallery(): GalleryApi {
  const api = use(GalleryContext)
  if (api === null) throw new Error('useGallery needs a GalleryProvider.')
  return api
}
