import { Dialog } from '@base-ui/react/dialog'
import { useMemo, useRef } from 'react'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { closeImage } from '#gallery/url/use-place.ts'
import type { LightboxActions } from './lightbox-actions.ts'
import { Viewer } from './viewer.tsx'

interface LightboxProps {
  /** The view that is paged through: `viewOf` the open place. */
  view: ImageView
  /** The image that the address names. */
  imageName: string
  actions: LightboxActions
}

/**
 * The image viewer, over the whole page.
 *
 * In app.tsx it stands once, as `place.image !== null && <Lightbox …/>`: it is there while the address
 * names an image, pages by replacing it, and closes by leaving it.
 */
export function Lightbox({ view, imageName, actions }: LightboxProps) {
  const popup = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(view)
  const steadyView = useMemo((): ImageView => JSON.parse(key), [key])
  return (
    // Toasts with their Undo stay within reach of the pointer; the focus stays inside.
    <Dialog.Root
      open
      modal="trap-focus"
      disablePointerDismissal
      onOpenChange={(isOpen) => !isOpen && closeImage()}
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          aria-label="Image viewer"
          initialFocus={popup}
          // The focus comes back only to what Tab can reach, when a dialog over this one closes.
          tabIndex={0}
          // The library keeps arrow keys from leaving a popup, and they are what pages here.
          onKeyDown={(event) => event.preventBaseUIHandler()}
          className="fixed inset-0 z-40 flex select-none flex-col bg-sunken outline-none"
        >
          <Viewer view={steadyView} imageName={imageName} actions={actions} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
