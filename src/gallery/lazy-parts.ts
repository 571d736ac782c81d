import { lazy } from 'react'

const loadLightbox = () => import('./lightbox/lightbox.tsx')
const loadCommands = () => import('./shell/command-palette.tsx')
const loadPalette = () => import('./boards/board-palette.tsx')
const loadImport = () => import('./imports/import-dialog.tsx')
const loadProcess = () => import('./process/process-dialog.tsx')
const loadShared = () => import('./shared-files-dialog.tsx')
const loadTrash = () => import('./trash-page.tsx')

/** Parts of the page that load after the first images. */
export const Lightbox = lazy(async () => ({ default: (await loadLightbox()).Lightbox }))
export const BoardPalette = lazy(async () => ({ default: (await loadPalette()).BoardPalette }))
export const CommandPalette = lazy(async () => ({ default: (await loadCommands()).CommandPalette }))
export const ImportDialog = lazy(async () => ({ default: (await loadImport()).ImportDialog }))
export const ProcessDialog = lazy(async () => ({ default: (await loadProcess()).ProcessDialog }))
export const SharedFilesDialog = lazy(async () => ({
  default: (await loadShared()).SharedFilesDialog,
}))
export const TrashPage = lazy(async () => ({ default: (await loadTrash()).TrashPage }))

/** Delay after the start before parts that the first view does not need are loaded, in milliseconds. */
const QUIET_MS = 4_000

/**
 * Loads the lazy parts once the page has been open for a while and is idle. They then open at once, even if the server
 * is unreachable. Afterwards installs the service worker, which shows the page while the server is unreachable.
 *
 * @returns A function that cancels this if it has not started.
 */
export function preloadLazyParts(): () => void {
  const load = async () => {
    // A part that fails now is loaded again when it is used.
    const parts = [
      loadLightbox,
      loadCommands,
      loadPalette,
      loadProcess,
      loadTrash,
      loadImport,
      loadShared,
    ]
    await Promise.allSettled(parts.map((part) => part()))
    // Missing on plain HTTP. Vite's development server has no worker.
    if (import.meta.env.PROD && 'serviceWorker' in navigator) {
      // Without the worker, the page only fails to load while the server is unreachable.
      const worker = new URL('sw.js', document.baseURI)
      await navigator.serviceWorker.register(worker).catch(() => undefined)
    }
  }
  const timer = setTimeout(() => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) {
      window.requestIdleCallback(() => void load(), { timeout: 5_000 })
    } else void load()
  }, QUIET_MS)
  return () => clearTimeout(timer)
}
