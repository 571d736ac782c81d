import { useState } from 'react'
import type { DuplicateView } from '#gallery/api/duplicates.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import { resolveAll } from './group-actions.ts'

interface KeepAllProps {
  view: DuplicateView
  groupCount: number
  imageCount: number
  bytes: number
}

/** Keeps one image of every group, after a question. */
export function KeepAll({ view, groupCount, imageCount, bytes }: KeepAllProps) {
  const api = useGallery()
  const [isAsking, setAsking] = useState(false)
  const others = countOf(imageCount - groupCount, 'duplicate')
  return (
    <>
      <Button className="max-sm:w-full" onClick={() => setAsking(true)}>
        Keep the suggested ones…
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${others}?`}
        description={`Of ${groupCount === 1 ? 'the group' : `all ${countOf(groupCount, 'group')}`}, the suggested one is kept, or the one that you chose, and gets the star, the highest rating and the tags of the others. ${others}, ${formatBytes(bytes)}, ${imageCount - groupCount === 1 ? 'moves' : 'move'} to the trash. You can undo this.`}
        actions={
          <>
            <Button tone="quiet" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              tone="danger"
              onClick={() => {
                setAsking(false)
                void resolveAll(api, view)
              }}
            >
              Delete {others}
            </Button>
          </>
        }
      />
    </>
  )
}
