import type { ImageRecord } from '#contract/image.ts'
import { detailsToggled } from '#gallery/ui/details-preference.ts'
import { useKeys } from '#gallery/ui/keys.ts'
import type { LightboxActions } from './lightbox-actions.ts'
import type { Neighbours } from './standing.ts'
import { toggleFullScreen } from './toggle-full-screen.ts'

interface ViewerKeys {
  image: ImageRecord | null
  neighbours: Neighbours
  total: number
  show: (position: number | null) => void
  actions: LightboxActions
}

/** The keys of the lightbox, those of the zoom aside. */
export function useViewerKeys({ image, neighbours, total, show, actions }: ViewerKeys): void {
  const withImage = (act: (shown: ImageRecord) => void) => () => image && act(image)
  useKeys(
    'Image viewer',
    [
      { keys: 'ArrowRight', label: 'Next image', run: () => show(neighbours.next) },
      { keys: 'ArrowLeft', label: 'Previous image', run: () => show(neighbours.previous) },
      { keys: 'Home', label: 'First image', run: () => show(total > 0 ? 0 : null) },
      { keys: 'End', label: 'Last image', run: () => show(total > 0 ? total - 1 : null) },
      { keys: 'i', label: 'Details', run: detailsToggled },
      { keys: 'f', label: 'Full screen', run: toggleFullScreen },
      {
        keys: 's',
        label: 'Star or unstar',
        run: withImage((shown) => actions.onStar(shown, !shown.starred)),
      },
      { keys: 'm', label: 'Move to a board', run: withImage(actions.onMove) },
      { keys: 'Delete', label: 'Delete', run: withImage(actions.onDelete) },
    ],
    { within: () => document.querySelector('[aria-label="Image viewer"]') },
  )
}
