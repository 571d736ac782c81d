import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { MOTION } from '#gallery/ui/motion.ts'
import { useMedia } from '#gallery/ui/use-media.ts'

/**
 * Returns the image to show in the viewer. When the viewer opens or closes, that is a frame later, and the picture grows
 * from its tile or shrinks to it. Without motion or the View Transitions API it is the same image at once.
 */
export function useViewerTransition(image: string | null): string | null {
  const [shown, setShown] = useState(image)
  const hasMotion = useMedia(MOTION) && 'startViewTransition' in document
  const isToggle = (image === null) !== (shown === null)
  if (image !== shown && !(isToggle && hasMotion)) setShown(image)
  useLayoutEffect(() => {
    const imageName = image ?? shown
    if (isToggle && imageName !== null) return transitionOf(imageName, () => setShown(image))
  }, [image, shown, isToggle])
  return shown
}

/** Events that must reach the new content, even in the frame before the transition. */
const INPUTS = ['keydown', 'pointerdown', 'wheel'] as const

/** Renders a change in a view transition. Returns a function that cancels it if it has not rendered yet. */
function transitionOf(imageName: string, change: () => void): () => void {
  let isOver = false
  const listening = new AbortController()
  let named = nameTile(imageName)
  const end = () => {
    isOver = true
    listening.abort()
    named?.style.removeProperty(NAME)
  }
  const render = () => {
    if (isOver) return
    end()
    flushSync(change)
    named = nameTile(imageName)
  }
  const transition = document.startViewTransition(render)
  const skip = () => transition.skipTransition()
  for (const input of INPUTS) {
    const renderNow = () => {
      render()
      skip()
    }
    window.addEventListener(input, renderNow, { capture: true, signal: listening.signal })
  }
  // The promise rejects if the transition is skipped.
  transition.ready.catch(() => undefined)
  void transition.finished.finally(() => named?.style.removeProperty(NAME))
  return () => {
    if (isOver) return
    end()
    skip()
  }
}

const NAME = 'view-transition-name'

/** The name in styles.css. */
const PICTURE = 'viewed-picture'

/** The picture in the viewer, which has the name by its class. */
const STAGE = '.viewed-picture'

/**
 * Gives the tile of an image the name of the picture in the viewer. Returns null if the tile is not rendered, or if the
 * viewer is open: two elements with one name would stop the transition.
 */
function nameTile(imageName: string): HTMLElement | null {
  if (document.querySelector(STAGE) !== null) return null
  const tile = `[role=grid] [data-name="${CSS.escape(imageName)}"] [data-picture]`
  const picture = document.querySelector<HTMLElement>(tile)
  picture?.style.setProperty(NAME, PICTURE)
  return picture
}
