import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { App } from './app.tsx'
import { readShares } from './uploads/shared-files.ts'

/** How long the rest of the page waits for pictures at most, in milliseconds. */
const PICTURES_MS = 2_000

/** How often it looks for them, in milliseconds. */
const FRAME_MS = 16

/** Draws the page in the place of the frame that index.html has shown so far. */
export function renderPage(api: GalleryApi, page: { shareOutcome: string | null }): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  void readShares(page.shareOutcome)
  // React renders a transition in slices, so that a slow phone stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App api={api} restAfter={firstPictures} />
      </StrictMode>,
    ),
  )
}

/**
 * Resolves when the pictures on the screen are loaded, when the page shows no images, or after some time. The rest of the
 * page waits for it, because both share the connection of a slow phone.
 */
async function firstPictures(): Promise<void> {
  const endMs = performance.now() + PICTURES_MS
  let pictures: readonly HTMLImageElement[] = []
  // The grid draws its tiles some frames later, when it knows its size. A hidden page has no frames.
  while (
    pictures.length === 0 &&
    document.querySelector('[role=grid]') &&
    performance.now() < endMs
  ) {
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
    pictures = [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')]
  }
  const timeout = new Promise((resolve) => setTimeout(resolve, endMs - performance.now()))
  await Promise.race([timeout, Promise.allSettled(pictures.map((picture) => picture.decode()))])
}
