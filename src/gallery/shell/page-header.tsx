import { Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { useActiveCount } from '#gallery/api/queue/generations.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { openSidebar } from '#gallery/ui/sidebar-store.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'

interface PageHeaderProps {
  title: string
  /** A line below the title; `''`: none. */
  description?: string
  /** Number of images and videos; undefined until it is known. */
  itemCount?: number | undefined
  noun?: Noun
  /** The chip of an active filter. */
  filter?: ReactNode
  /** Search, filter and view options. */
  view?: ReactNode
  /** Buttons such as Add. */
  actions?: ReactNode
  /** A row below the others. */
  below?: ReactNode
}

/** The title, the counts and the controls of the page, in one row or two. */
export function PageHeader({
  title,
  description = '',
  itemCount,
  noun = 'image',
  filter,
  view,
  actions,
  below,
}: PageHeaderProps) {
  const isCompact = useIsCompact()
  return (
    // Container queries, because next to the open queue the header is much narrower than the window.
    <div className="@container shrink-0 border-line border-b bg-surface">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 wide:min-h-16 wide:px-6 wide:py-2 @5xl:flex-nowrap short:@2xl:flex-nowrap">
        <div className="flex min-w-0 flex-1 items-center gap-2 @2xl:min-w-[11rem]">
          {isCompact && <MenuButton />}
          <div className="min-w-0">
            <div className="min-w-0 @3xl:flex @3xl:items-baseline @3xl:gap-3">
              <h1
                dir="auto"
                className="truncate font-semibold text-lg tracking-tight short:leading-5 wide:text-xl"
              >
                {title}
              </h1>
              <div className="flex min-w-0 items-center gap-2 @3xl:shrink-0 @3xl:gap-3">
                <p
                  aria-live="polite"
                  className="shrink-0 text-muted text-xs tabular-nums empty:hidden wide:text-sm"
                >
                  {itemCount !== undefined && countOf(itemCount, noun)}
                </p>
                {filter}
              </div>
            </div>
            {description !== '' && (
              <p
                dir="auto"
                title={description}
                className="truncate text-muted text-xs short:hidden wide:text-sm"
              >
                {description}
              </p>
            )}
          </div>
        </div>
        {view !== undefined && (
          <div className="order-3 flex w-full min-w-0 items-start gap-1 @5xl:order-none @5xl:w-lg @5xl:gap-2 short:@2xl:order-none short:@2xl:w-80">
            {view}
          </div>
        )}
        <div className="flex shrink-0 items-center gap-2">{actions}</div>
      </header>
      {below}
    </div>
  )
}

/** Opens the drawer. A dot shows that its queue has active items. */
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
