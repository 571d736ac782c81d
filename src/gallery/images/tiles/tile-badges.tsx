import { Play, Tag, Volume2 } from 'lucide-react'
import { generators } from '#contract/generators.ts'
import type { ImageRecord } from '#contract/image.ts'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import type { TileSize } from './thumbnail-size.ts'

const usePreference = createPreferences('badges', { animated: true, generator: false })

const settings = [
  { key: 'animated', id: 'badges.animated', label: 'Badge of animated images', icon: Play },
  { key: 'generator', id: 'badges.generator', label: 'Badge of the generator', icon: Tag },
] as const

type BadgeKey = (typeof settings)[number]['key']

const setOn = (key: BadgeKey, isOn: boolean): void => void usePreference.setState({ [key]: isOn })

/** InvokeAI's records do not have the data of the badges. */
const useHasBadges = (): boolean => useCapabilities()?.server === 'tessera'

/** Turns the badges on or off. */
export function BadgeSwitches() {
  const isOn = usePreference()
  if (!useHasBadges()) return null
  return settings.map(({ key, label }) => (
    <Switch key={key} isOn={isOn[key]} onChange={(next) => setOn(key, next)}>
      {label}
    </Switch>
  ))
}

export function useBadgeCommands(): void {
  const isOn = usePreference()
  const commands = settings.map(({ key, ...setting }) =>
    switchCommand({ ...setting, isOn: isOn[key] }, (next) => setOn(key, next)),
  )
  useCommands('View', useHasBadges() ? commands : [])
}

export interface Badges {
  readonly isAnimated: boolean
  readonly generator: string | null
  /** null for an image. */
  readonly video: ImageRecord['video']
}

/** Returns the badges of an image or a video. Those of images can be turned off. */
export function useBadges({ is_animated, generator, video }: ImageRecord): Badges {
  const isOn = usePreference()
  return {
    isAnimated: isOn.animated && is_animated === true,
    generator: isOn.generator && generator ? generators[generator].badge : null,
    video,
  }
}

/** In a lower picture the badges are between the buttons, not below them. In pixels. */
const LOW_PX = 64
/** Widths of the animated badge, of the generator, of a duration and of the room for both buttons, in pixels. */
const ANIMATED_PX = 32
const GENERATOR_PX = 72
const VIDEO_PX = 56
const BUTTONS_PX = 80

/** Returns the badges for which a picture has room beside its buttons. */
export function fittingBadges(badges: Badges, { widthPx, heightPx }: TileSize): Badges {
  const roomPx = heightPx < LOW_PX ? widthPx - BUTTONS_PX : widthPx
  return {
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
export function TileBadges({ isAnimated, generator, video, picture }: TileBadgesProps) {
  if (!isAnimated && generator === null && video === null) return null
  const { widthPx, heightPx } = picture
  const place = heightPx < LOW_PX ? 'justify-center px-10' : 'justify-end px-1.5'
  return (
    <span
      aria-hidden
      className={`pointer-events-none absolute flex items-end gap-1 pb-1.5 ${place}`}
      style={{ width: widthPx, height: heightPx }}
    >
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
