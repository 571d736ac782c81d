import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import type { GalleryApi } from './gallery-api.ts'

const GalleryContext = createContext<GalleryApi | null>(null)

/** Hands the data layer down to the components. */
export function GalleryProvider({ api, children }: { api: GalleryApi; children: ReactNode }) {
  return (
    <GalleryContext value={api}>
      <QueryClientProvider client={api.queryClient}>{children}</QueryClientProvider>
    </GalleryContext>
  )
}

/** Returns the data layer. The same object during the life of the page. */
export function useGallery(): GalleryApi {
  const api = use(GalleryContext)
  if (api === null) throw new Error('useGallery needs a GalleryProvider.')
  return api
}
