import { Filter, X } from 'lucide-react'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { FoldingButton } from '#gallery/ui/button.tsx'
import { Menu, MenuChoice, MenuSeparator, MenuSwitch } from '#gallery/ui/menu.tsx'
import { STARRED } from '#gallery/url/place.ts'
import {
  BROAD_KINDS,
  filterOfKind,
  filterOfLength,
  type ImageKind,
  kindOf,
  LENGTH_CHOICES,
  labelOfFilter,
  lengthOf,
  NO_FILTER,
  NO_LENGTH,
  SINGLE_KINDS,
  VIDEOS,
} from '#gallery/url/place-filter.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

const choicesOf = (kinds: readonly ImageKind[]) =>
  kinds.map(({ word, label }) => ({ value: word, label }))

const broad = choicesOf(BROAD_KINDS)
const broadWithoutVideos = choicesOf(BROAD_KINDS.filter((kind) => kind !== VIDEOS))
const single = choicesOf(SINGLE_KINDS)

/** A menu that filters images. The choice is stored in the URL. */
export function FilterMenu() {
  const place = usePlace()
  const { board, isStarred } = place
  const { word } = kindOf(place)
  const hasVideos = useCapabilities()?.limits.max_video_bytes !== undefined
  const hasDurations = useHasExtension('video_durations')
  const canChooseStarred = useHasExtension('starred_filter') && board !== STARRED
  const choose = (chosen: string) => goTo({ ...filterOfKind(chosen), image: null })
  return (
    <Menu align="end" trigger={<FoldingButton label="Filter" icon={Filter} text="Filter" />}>
      <MenuChoice
        label="Show"
        value={word}
        options={hasVideos ? broad : broadWithoutVideos}
        onChoose={choose}
      />
      {hasDurations && (
        <>
          <MenuSeparator />
          <MenuChoice
            label="Length of videos"
            value={lengthOf(place).word}
            options={LENGTH_CHOICES}
            onChoose={chooseLength}
          />
        </>
      )}
      <MenuSeparator />
      <MenuChoice label="One category" value={word} options={single} onChoose={choose} />
      {canChooseStarred && (
        <>
          <MenuSeparator />
          <MenuSwitch isOn={isStarred === true} onChange={showOnlyStarred}>
            Only starred images
          </MenuSwitch>
        </>
      )}
    </Menu>
  )
}

const chooseLength = (chosen: string): void => goTo({ ...filterOfLength(chosen), image: null })

const showOnlyStarred = (isOn: boolean): void => goTo({ isStarred: isOn || undefined, image: null })

export const clearFilter = (): void => goTo({ ...NO_FILTER, image: null })

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
