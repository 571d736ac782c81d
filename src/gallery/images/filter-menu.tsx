import { Filter, X } from 'lucide-react'
import { Suspense } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { FoldingButton } from '#gallery/ui/button.tsx'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { Popover } from '#gallery/ui/popups/dialog.tsx'
import { labelOfFilter, NO_LENGTH } from '#gallery/url/place-filter.ts'
import { clearFilter, usePlace } from '#gallery/url/use-place.ts'

export const FilterForm = lazyPart(async () => (await import('./filter-form.tsx')).FilterForm)

/** The button that opens the filters. */
export const FilterMenu = () => (
  <Popover label="Filter" trigger={<FoldingButton label="Filter" icon={Filter} text="Filter" />}>
    <Suspense>
      <FilterForm />
    </Suspense>
  </Popover>
)

/** A chip that shows the active filters. A click removes them. */
export function FilterChip() {
  const place = usePlace()
  const hasStarred = useHasExtension('starred_filter')
  const hasDurations = useHasExtension('video_durations')
  const label = labelOfFilter({
    ...place,
    ...(!hasStarred && { isStarred: undefined }),
    ...(!hasDurations && NO_LENGTH),
  })
  if (label === null) return null
  return (
    <button
      type="button"
      title="Clear filter"
      aria-label={`Only ${label}: clear filter`}
      onClick={clearFilter}
      // Higher than its line, so that a finger finds it.
      className="-my-2 flex h-8 min-w-0 items-center pointer-coarse:-my-3.5 pointer-coarse:h-11"
    >
      <span className="flex h-5 min-w-0 items-center gap-1 rounded-full bg-accent-soft pr-1.5 pl-2 font-medium text-accent text-xs hover:underline @3xl:h-7 @3xl:gap-1.5 @3xl:pr-2 @3xl:pl-3 @3xl:text-sm">
        <span className="truncate">{label}</span>
        <X aria-hidden size={14} className="shrink-0" />
      </span>
    </button>
  )
}
