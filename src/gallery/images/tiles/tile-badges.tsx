import { Cpu, Play, Star, Tag, Volume2 } from 'lucide-react'
import { generators } from '#contract/generators.ts'
import type { ImageRecord } from '#contract/image.ts'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import type { TileSize } from './thumbnail-size.ts'

const usePreference = createPreferences('badges', {
  ...{ rating: true, tags: false, animated: true, generator: false },
})

const settings = [
  { key: 'rating', id: 'badges.rating', label: 'Ratings', icon: Star },
  { key: 'tags', id: 'badges.tags', label: 'Tags', icon: Tag },
  { key: 'animated', id: 'badges.animated', label: 'Badge of animated images', icon: Play },
  { key: 'generator', id: 'badges.generator', label: 'Badge of the generator', icon: Cpu },
] as const

type BadgeKey = (typeof settings)[number]['key']

const setOn = (key: BadgeKey, isOn: boolean): void => void usePreference.setState({ [key]: isOn })

/** Returns the badges that the records of the server have data for. InvokeAI's have none. */
function useOffered() {
  const hasBadges = useCapabilities()?.server === 'tessera'
  const has = { rating: useHasExtension('ratings'), tags: useHasExtension('tags') }
  return settings.filter(({ key }) => hasBadges && (!(key in has) || has[key as keyof typeof has]))
}

/** Turns the badges on or off. */
export function BadgeSwitches() {
  const isOn = usePreference()
  return useOffered().map(({ key, label }) => (
    <Switch key={key} isOn={isOn[key]} onChange={(next) => setOn(key, next)}>
      {label}
    </Switch>
  ))
}

export function useBadgeCommands(): void {
  const isOn = usePreference()
  const commands = useOffered().map(({ key, ...setting }) =>
    switchCommand({ ...setting, isOn: isOn[key] }, (next) => setOn(key, next)),
  )
  useCommands('View', commands)
}

export interface Badges {
  /** 0: not rated, or not shown. */
  readonly rating: number
  readonly tags: readonly string[]
  readonly isAnimated: boolean
  readonly generator: string | null
  /** null for an image. */
  readonly video: ImageRecord['video']
}

const NO_TAGS: readonly string[] = []

/** Returns the badges of an image or a video. Those of images can be turned off. */
export function useBadges({ rating, tags, is_animated, generator, video }: ImageRecord): Badges {
  const isOn = usePreference()
  return {
    rating: isOn.rating ? rating : 0,
    tags: isOn.tags ? tags : NO_TAGS,
    isAnimated: isOn.animated && is_animated === true,
    generator: isOn.generator && generator ? generators[generator].badge : null,
    video,
  }
}

/** In a lower picture the badges are between the buttons, not below them. In pixels. */
const LOW_PX = 64
/** Widths of the animated badge, of the generator, of a duration and of the room for both buttons, in pixels. */
const ANIMATED_PX = 32
const RATING_PX = 32
const TAGS_PX = 96
const GENERATOR_PX = 72
const VIDEO_PX = 56
const BUTTONS_PX = 80

/** Returns the badges for which a picture has room beside its buttons. */
export function fittingBadges(badges: Badges, { widthPx, heightPx }: TileSize): Badges {
  const roomPx = heightPx < LOW_PX ? widthPx - BUTTONS_PX : widthPx
  return {
    rating: roomPx >= RATING_PX + (badges.video ? VIDEO_PX : 0) ? badges.rating : 0,
    tags: roomPx >= TAGS_PX + (badges.video ? VIDEO_PX : 0) ? badges.tags : NO_TAGS,
    isAnimated: badges.isAnimated && roomPx >= ANIMATED_PX,
    generator: roomPx >= GENERATOR_PX + (badges.video ? VIDEO_PX : 0) ? badges.generator : null,
    video: roomPx >= VIDEO_PX ? badges.video : null,
  }
}

const look =
  'flex h-5 items-center rounded-sm bg-black/60 px-1 font-medium text-white text-[0.6875rem] leading-none'

interface TileBadgesProps extends Badges {
  /** Size of the picture. */
  picture: TileSize
}

/** The badges in the lower right corner of a picture. Screen readers get them with the name of the tile. */
export function TileBadges(props: TileBadgesProps) {
  const { rating, tags, isAnimated, generator, video, picture } = props
  const isEmpty = rating === 0 && tags.length === 0 && !isAnimated && generator === null
  if (isEmpty && video === null) return null
  const { widthPx, heightPx } = picture
  const place = heightPx < LOW_PX ? 'justify-center px-10' : 'justify-end px-1.5'
  return (
    <span
      aria-hidden
      className={`pointer-events-none absolute flex items-end gap-1 pb-1.5 ${place}`}
      style={{ width: widthPx, height: heightPx }}
    >
      {tags.length > 0 && (
        <span data-badge="tags" className={`${look} min-w-0`}>
          <span dir="auto" className="truncate leading-4">
            {tags.join(', ')}
          </span>
        </span>
      )}
      {rating > 0 && (
        // Not text in the document: a part of an icon would slow down scrolling.
        <span
          data-badge="rating"
          data-rating={rating}
          className={`${look} shrink-0 gap-0.5 tabular-nums before:content-[attr(data-rating)] after:text-[#f5b944] after:content-['★']`}
        />
      )}
      {generator !== null && (
        <span className={`${look} min-w-0`}>
          <span className="truncate leading-4">{generator}</span>
        </span>
      )}
      {isAnimated && (
        <span data-badge="animated" className={`${look} w-5 shrink-0 justify-center`}>
          <Play size={10} fill="currentColor" />
        </span>
      )}
      {video !== null && (
        <span data-badge="video" className={`${look} shrink-0 gap-1 tabular-nums`}>
          {video.has_sound === true && <Volume2 size={11} strokeWidth={2.5} />}
          {formatDuration(video.duration)}
        </span>
      )}
    </span>
  )
}
