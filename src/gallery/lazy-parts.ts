import { BulkCard } from './history/bulk-tray.tsx'
import { FilterForm } from './images/filter-menu.tsx'
import { SelectionBar } from './images/grid/image-grid.tsx'
import { ImportCard } from './imports/import-cards.tsx'
import { DuplicatesPage, LockedNotice, SignIn, TrashPage } from './lazy-pages.ts'
import { lazyPart } from './ui/lazy-part.ts'
import { preloadContextMenus } from './ui/popups/context-menu.tsx'
import { preloadDrawers } from './ui/popups/drawer.tsx'
import { preloadTooltip } from './ui/popups/tooltip.tsx'
import { preloadToasts } from './ui/toasts/toast.tsx'
import { UploadPanel } from './uploads/tray/upload-tray.tsx'

/** Parts of the page that load after the first images. */
export const Lightbox = lazyPart(async () => (await import('./lightbox/lightbox.tsx')).Lightbox)
export const BoardPalette = lazyPart(
  async () => (await import('./boards/board-palette.tsx')).BoardPalette,
)
export const CommandPalette = lazyPart(
  async () => (await import('./shell/command-palette.tsx')).CommandPalette,
)
export const Comparison = lazyPart(
  async () => (await import('./compare/comparison-dialog.tsx')).Comparison,
)
export const DownloadDialog = lazyPart(
  async () => (await import('./downloads/download-dialog.tsx')).DownloadDialog,
)
export const GroupDialogs = lazyPart(
  async () => (await import('./boards/dialogs/group-dialogs.tsx')).GroupDialogs,
)
export const ImportDialog = lazyPart(
  async () => (await import('./imports/import-dialog.tsx')).ImportDialog,
)
export const KeysDialog = lazyPart(async () => (await import('./shell/keys-dialog.tsx')).KeysDialog)
export const ProcessDialog = lazyPart(
  async () => (await import('./process/process-dialog.tsx')).ProcessDialog,
)
export const RenameTagDialog = lazyPart(
  async () => (await import('./boards/tags/rename-tag-dialog.tsx')).RenameTagDialog,
)
export const SearchDialog = lazyPart(
  async () => (await import('./boards/searches/search-dialog.tsx')).SearchDialog,
)
export const SharedFilesDialog = lazyPart(
  async () => (await import('./shared-files-dialog.tsx')).SharedFilesDialog,
)
export const TagDialog = lazyPart(
  async () => (await import('./images/tags/tag-dialog.tsx')).TagDialog,
)

/** Delay after the start before parts that the first view does not need are loaded, in milliseconds. */
const QUIET_MS = 4_000

/** How long the first part and each further one wait for an idle page, in milliseconds. */
const FIRST_TIMEOUT_MS = 5_000
const PART_TIMEOUT_MS = 1_000

/** Time without scrolling before a part is loaded, in milliseconds: browsers are idle between the frames of a fling too. */
const STILL_MS = 300

/**
 * Loads the lazy parts once the page has been open for a while and is idle. They then open at once, even if the server
 * is unreachable. Afterwards installs the service worker, which shows the page while the server is unreachable.
 *
 * @returns A function that cancels this if it has not started.
 */
export function preloadLazyParts(): () => void {
  let isCanceled = false
  const load = async () => {
    const scrolling = watchScrolling()
    await untilIdle(FIRST_TIMEOUT_MS)
    if (isCanceled) return scrolling.end()
    // A part that fails now is loaded again when it is used.
    const parts = [
      Lightbox,
      CommandPalette,
      BoardPalette,
      Comparison,
      DownloadDialog,
      ProcessDialog,
      TrashPage,
      DuplicatesPage,
      ImportDialog,
      SearchDialog,
      RenameTagDialog,
      SharedFilesDialog,
      SignIn,
      LockedNotice,
      FilterForm,
      UploadPanel,
      ImportCard,
      BulkCard,
      GroupDialogs,
      KeysDialog,
      TagDialog,
    ]
    preloadToasts()
    // One by one: all together block a phone for 130 ms.
    const preloads = [preloadTooltip, ...parts.map((part) => part.preload), preloadDrawers]
    for (const preload of preloads) {
      await untilIdle(PART_TIMEOUT_MS)
      while (scrolling.isMoving()) await new Promise((resolve) => setTimeout(resolve, STILL_MS))
      await preload().catch(() => undefined)
    }
    scrolling.end()
    // Missing on plain HTTP. Vite's development server has no worker.
    if (import.meta.env.PROD && 'serviceWorker' in navigator) {
      // Without the worker, the page only fails to load while the server is unreachable.
      const worker = new URL('sw.js', document.baseURI)
      await navigator.serviceWorker.register(worker).catch(() => undefined)
    }
  }
  // Users select images and open their menus at once, and both parts are small.
  for (const preload of [SelectionBar.preload, preloadContextMenus])
    void preload().catch(() => undefined)
  const timer = setTimeout(() => void load(), QUIET_MS)
  return () => {
    isCanceled = true
    clearTimeout(timer)
  }
}

/** Watches whether any element scrolls. */
function watchScrolling() {
  const watching = new AbortController()
  let movedMs = -STILL_MS
  const note = () => {
    movedMs = performance.now()
  }
  const { signal } = watching
  window.addEventListener('scroll', note, { capture: true, passive: true, signal })
  return {
    isMoving: () => performance.now() - movedMs < STILL_MS,
    end: () => watching.abort(),
  }
}

/** Resolves when the page is idle, or after some time. */
const untilIdle = (timeout: number): Promise<unknown> =>
  new Promise((resolve) => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout })
    else setTimeout(resolve)
  })
