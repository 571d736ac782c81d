import { Compass } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { goTo } from '#gallery/url/use-place.ts'

/** The page at an address that does not exist. */
export function UnknownPage() {
  return (
    <main aria-label="Nothing here" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
      <Notice
        icon={Compass}
        title="There is nothing here"
        actions={
          <Button onClick={() => goTo({ board: ALL_BOARDS, image: null, query: '' })}>
            Show all images
          </Button>
        }
      >
        No page of the gallery has the address{' '}
        <bdi className="wrap-anywhere text-ink">{window.location.pathname}</bdi>.
      </Notice>
    </main>
  )
}
