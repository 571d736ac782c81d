import { Pause } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '#gallery/ui/button.tsx'
import { Menu, MenuChoice } from '#gallery/ui/popups/menu.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { toggleFullScreen, useIsFullScreen } from './full-screen.ts'

const SECONDS = ['2', '3', '5', '10', '30'] as const

const usePace = createPreferences('slideshow', { seconds: '5' as (typeof SECONDS)[number] })

interface SlideshowParts {
  /** null while the image is loading, so that each one is shown for its full time, or while a video plays. */
  readyImage: string | null
  /** Shows the next image, or the first one after the last. */
  onNext: () => void
}

/** Shows one image after the other, in full screen if the browser allows it. Leaving full screen ends it. */
export function useSlideshow({ readyImage, onNext }: SlideshowParts) {
  const [isPlaying, setPlaying] = useState(false)
  const seconds = Number(usePace(({ seconds }) => seconds))
  const isFullScreen = useIsFullScreen()
  const next = useEffectEvent(onNext)

  useEffect(() => {
    if (!isPlaying || readyImage === null) return
    const timer = window.setTimeout(next, seconds * 1000)
    return () => window.clearTimeout(timer)
  }, [isPlaying, readyImage, seconds])

  useEffect(() => {
    if (!isFullScreen) return
    return () => setPlaying(false)
  }, [isFullScreen])

  const goOn = () => {
    if (isPlaying) onNext()
  }
  const toggle = () => {
    setPlaying(!isPlaying)
    if (isPlaying === isFullScreen && document.fullscreenEnabled) toggleFullScreen()
  }
  return { isPlaying, toggle, goOn }
}

interface SlideshowControlsProps {
  /** True if the controls of a video are below. */
  isRaised: boolean
  onStop: () => void
}

/** Stops the slideshow or changes its pace. */
export function SlideshowControls({ isRaised, onStop }: SlideshowControlsProps) {
  const seconds = usePace(({ seconds }) => seconds)
  return (
    <fieldset
      aria-label="Slideshow"
      className={`fade-when-idle absolute left-3 ${isRaised ? 'bottom-[7rem]' : 'bottom-3'} flex items-center rounded-full border border-line bg-raised px-1 shadow-raised`}
    >
      <IconButton label="Stop the slideshow" icon={Pause} onClick={onStop} />
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`Seconds per image: ${seconds}`}
            className="h-8 min-w-12 rounded pointer-coarse:h-11 text-muted text-xs tabular-nums hover:text-ink"
          >
            {seconds} s
          </button>
        }
      >
        <MenuChoice
          label="Seconds per image"
          value={seconds}
          options={SECONDS.map((value) => ({ value, label: value }))}
          onChoose={(chosen) => usePace.setState({ seconds: chosen })}
        />
      </Menu>
    </fieldset>
  )
}
