import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { App } from './app.tsx'
import { readShares } from './uploads/shared-files.ts'

/** Draws the page in the place of the frame that index.html has shown so far. */
export function renderPage(api: GalleryApi, page: { shareOutcome: string | null }): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  void readShares(page.shareOutcome)
  // React renders a transition in slices, so that a slow phone stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App api={api} />
      </StrictMode>,
    ),
  )
}
