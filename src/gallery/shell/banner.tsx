import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface BannerProps {
  icon: LucideIcon
  /** `alert`: something does not work. `note`: everything does, and something is to be known. */
  tone: 'alert' | 'note'
  title: string
  /** What happens next, beside the title. */
  next?: string | undefined
  /** Why, and what to do, below. */
  detail?: string | null
  action?: ReactNode
}

/** Something that concerns the whole page, said over the images for as long as it is so. */
export function Banner({ icon: Icon, tone, title, next, detail = null, action }: BannerProps) {
  const isAlert = tone === 'alert'
  return (
    <div
      className={`flex items-center gap-3 rounded-lg border bg-raised py-1.5 pl-4 text-sm shadow-floating ${isAlert ? 'border-danger' : 'border-line text-muted'} ${action === undefined ? 'pr-4' : 'pr-2'}`}
    >
      <Icon
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className={`shrink-0 ${isAlert ? 'text-danger' : ''}`}
      />
      <div className="min-w-0 max-w-[30rem]">
        <div className="sm:flex sm:gap-2">
          <p role={isAlert ? 'alert' : 'status'} className={isAlert ? 'font-semibold' : ''}>
            {title}
          </p>
          {next !== undefined && <p className="text-muted tabular-nums">{next}</p>}
        </div>
        {detail !== null && (
          <p className="break-words text-muted text-xs leading-snug max-sm:line-clamp-4">
            {detail}
          </p>
        )}
      </div>
      {action}
    </div>
  )
}
