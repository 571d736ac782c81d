import { lazy } from 'react'

const loadLightbox = () => import('./lightbox/lightbox.tsx')
const loadPalette = () => import('./boards/board-palette.tsx')
const loadImport = () => import('./imports/import-dialog.tsx')
const loadProcess = () => import('./process/process-dialog.tsx')
const loadTrash = () => import('./trash-page.tsx')

/** Parts of the page that the first pictures need not wait for. */
export const Lightbox = lazy(async () => ({ default: (await loadLightbox()).Lightbox }))
export const BoardPalette = lazy(async () => ({ default: (await loadPalette()).BoardPalette }))
export const ImportDialog = lazy(async () => ({ default: (await loadImport()).ImportDialog }))
export const ProcessDialog = lazy(async () => ({ default: (await loadProcess()).ProcessDialog }))
export const TrashPage = lazy(async () => ({ default: (await loadTrash()).TrashPage }))

/** Loads them before they are wanted: they must be there at once, even when the server is gone by then. */
export function preloadLazyParts(): void {
  const load = () => {
    // What does not come now is asked for again when it is needed.
    const parts = [loadLightbox, loadPalette, loadProcess, loadTrash, loadImport]
    void Promise.allSettled(parts.map((part) => part()))
  }
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(load, { timeout: 5_000 })
  else setTimeout(load, 2_000)
}
