import { Dialog } from '@base-ui/react/dialog'
import { useMemo, useRef } from 'react'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { closeImage } from '#gallery/url/use-place.ts'
import { Viewer, type ViewerCommands } from './viewer.tsx'

export interface LightboxProps {
  /** The view that the user pages through: `viewOf` the open place. */
  view: ImageView
  /** The image in the URL. */
  imageName: string
  commandsOf: ViewerCommands
}

/** The image viewer, over the whole page. Paging replaces the image in the URL, and closing removes it. */
export function Lightbox({ view, imageName, commandsOf }: LightboxProps) {
  const popup = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(view)
  const steadyView = useMemo((): ImageView => JSON.parse(key), [key])
  return (
    // Not a modal that blocks pointers: toasts with Undo must stay clickable. The focus stays inside.
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
          // Needed to restore the focus: when a dialog over this one closes, it only returns to elements in the tab
          // order.
          tabIndex={0}
          // The library stops arrow keys from leaving a popup, but they page through the images.
          onKeyDown={(event) => event.preventBaseUIHandler()}
          className="fixed inset-0 z-40 flex select-none flex-col bg-sunken outline-none"
        >
          <Viewer view={steadyView} imageName={imageName} commandsOf={commandsOf} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
