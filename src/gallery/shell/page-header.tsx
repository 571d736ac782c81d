import { LayoutGrid, Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useActiveCount } from '#gallery/api/generations.ts'
import { countOf } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Popover } from '#gallery/ui/popover.tsx'
import { useIsNarrow } from '#gallery/ui/use-media.ts'
import { openSidebar } from './sidebar-store.ts'

interface PageHeaderProps {
  title: string
  /** Images here; undefined while that is not known. */
  imageCount?: number | undefined
  /** Videos here, of which only the number is shown. */
  videoCount?: number
  /** Says that not all of them are shown. */
  filter?: ReactNode
  /** Search, filter and order: what changes which images are shown. */
  view?: ReactNode
  /** How large they are. A press away on a narrow screen. */
  layout?: ReactNode
  /** What can be done here. */
  actions?: ReactNode
}

/** Where one is, how much there is, and what can be done about it. Two rows where one would be too short. */
export function PageHeader({
  title,
  imageCount,
  videoCount = 0,
  filter,
  view,
  layout,
  actions,
}: PageHeaderProps) {
  const isNarrow = useIsNarrow()
  return (
    // Beside the queue there is less room than the window has.
    <div className="@container shrink-0">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-surface px-4 py-3 md:min-h-16 md:px-6 @5xl:flex-nowrap">
        <div className="flex min-w-0 flex-1 items-center gap-2 @5xl:min-w-[11rem]">
          {isNarrow && <MenuButton />}
          <div className="min-w-0 lg:flex lg:items-baseline lg:gap-3">
            <h1 className="truncate font-semibold text-lg tracking-tight md:text-xl">{title}</h1>
            <p
              aria-live="polite"
              className="shrink-0 text-muted text-xs tabular-nums empty:hidden md:text-sm"
            >
              {imageCount !== undefined && countOf(imageCount, 'image')}
              {videoCount > 0 && `, ${countOf(videoCount, 'video')} in InvokeAI`}
            </p>
          </div>
          {filter !== undefined && <div className="ml-auto shrink-0 md:ml-2">{filter}</div>}
        </div>
        {view !== undefined && (
          <div className="order-3 flex w-full min-w-0 items-center gap-1 @5xl:order-none @5xl:w-96">
            {view}
            {isNarrow && layout !== undefined && (
              <Popover label="Tiles" trigger={<IconButton label="Tiles" icon={LayoutGrid} />}>
                {layout}
              </Popover>
            )}
          </div>
        )}
        <div className="flex shrink-0 items-center gap-2">
          {!isNarrow && layout}
          {actions}
        </div>
      </header>
    </div>
  )
}

/** Opens the drawer. A dot says that something in there is under way: its queue cannot be seen from here. */
function MenuButton() {
  const active = useActiveCount()
  const news = active > 0 ? `, ${countOf(active, 'item')} in the queue` : ''
  return (
    <span className="relative -ml-2 flex">
      <IconButton label={`Open sidebar${news}`} icon={MenuIcon} onClick={openSidebar} />
      {active > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-1.5 right-1.5 size-3 rounded-full border-2 border-surface bg-accent"
        />
      )}
    </span>
  )
}
