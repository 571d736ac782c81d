import { CloudOff } from 'lucide-react'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'

interface GridFailedProps {
  /** True if no images could be loaded; false if only a part failed. */
  isAll: boolean
  error: Error
  onRetry: () => void
}

export function GridFailed({ isAll, error, onRetry }: GridFailedProps) {
  const retry = <Button onClick={onRetry}>Retry</Button>
  if (isAll) {
    return (
      <div className="absolute inset-0 bg-surface">
        <Notice icon={CloudOff} tone="danger" title="Couldn’t load the images" actions={retry}>
          {reasonOf(error)}
        </Notice>
      </div>
    )
  }
  return (
    <div className="absolute inset-x-0 bottom-0 flex justify-center p-3">
      <div
        role="alert"
        className="flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-floating"
      >
        Couldn’t load some of the images.
        {retry}
      </div>
    </div>
  )
}
