import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { usePendingTrashedImages } from '#gallery/api/trash/pending-trash.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { TRASH } from '#gallery/url/place-order.ts'
import { goTo } from '#gallery/url/use-place.ts'

/** The empty library. Shows a message if its images are in the trash, else the first-run page. */
export function AllInTrash({ children }: { children: ReactNode }) {
  const { trash } = useGallery()
  const hasTrash = useHasExtension('trash')
  const pendingCount = usePendingTrashedImages()
  const { data, isPending } = useQuery({ ...trash.summary(), enabled: hasTrash })
  if (!hasTrash) return children
  const count = (data?.total ?? 0) + pendingCount
  if (isPending && pendingCount === 0) return null
  if (count === 0) return children
  return (
    <Notice
      icon={Trash2}
      title="Everything is in the trash"
      actions={
        <Button tone="primary" onClick={() => goTo({ board: TRASH })}>
          Open the trash
        </Button>
      }
    >
      {countOf(count, data?.noun ?? 'image')} can be restored from there.
    </Notice>
  )
}
