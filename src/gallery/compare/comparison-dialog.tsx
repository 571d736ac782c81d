import { Dialog } from '@base-ui/react/dialog'
import {
  type CompareRequest,
  closeComparison,
  MAX_COMPARED,
} from '#gallery/api/images/compare-request.ts'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { topDialog } from '#gallery/ui/keys/keys.ts'
import { type CompareCommands, ComparedImages } from './compared-images.tsx'
import { Tournament } from './tournament.tsx'

export interface ComparisonProps {
  request: CompareRequest
  commandsOf: CompareCommands
}

/** The comparison of images over the whole page, as a tournament if they are many. Esc and Back close it. */
export function Comparison({ request, commandsOf }: ComparisonProps) {
  useBackCloses(true, closeComparison)
  const Content = request.imageNames.length > MAX_COMPARED ? Tournament : ComparedImages
  return (
    // Not a modal that blocks pointers: toasts with Undo must stay clickable. The focus stays inside.
    <Dialog.Root
      open
      modal="trap-focus"
      disablePointerDismissal
      onOpenChange={(isOpen) => !isOpen && closeComparison()}
    >
      <Dialog.Portal>
        <Dialog.Popup
          aria-label="Comparison"
          initialFocus={() => document.querySelector<HTMLElement>('[data-stage][tabindex="0"]')}
          // When a dialog over this one closes, the focus only returns to elements in the tab order.
          tabIndex={0}
          // The library stops arrow keys from leaving a popup, but they move the focus between the images.
          onKeyDown={(event) => {
            event.preventBaseUIHandler()
            if (event.key !== 'Escape' || topDialog() !== event.currentTarget) return
            // The library would also close the viewer below.
            event.stopPropagation()
            closeComparison()
          }}
          className="fixed inset-0 z-40 flex select-none flex-col bg-sunken outline-none"
        >
          <Content request={request} commandsOf={commandsOf} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
