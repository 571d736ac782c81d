import { Slider } from '@base-ui/react/slider'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Size } from '#gallery/lightbox/fit-box.ts'
import { savesData } from '#gallery/ui/motion.ts'
import { Seeker } from '#gallery/ui/seeker.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { usePlayback, type VideoPlayer } from './video-player.ts'

/** In videos longer than this, the arrow keys move by more, in seconds. */
const LONG_S = 60

/** Returns text such as `0:03`, for a time of which no part has to be rounded up. */
const timeText = (timeS: number): string => formatDuration(Math.floor(timeS + 0.001))

interface SeekBarProps {
  player: VideoPlayer
  size: Size
  /** True while the bar is hidden. */
  isIdle: boolean
  /** True if other controls are in the same row. */
  isInRow: boolean
}

/** The time of the video and a slider for it. The pointer shows the frame at its place. */
export function SeekBar({ player, size, isIdle, isInRow }: SeekBarProps) {
  const durationS = usePlayback(player, (playback) => playback.durationS)
  const timeS = useTime(player, isIdle)
  const [hovered, setHovered] = useState<{ share: number } | null>(null)
  const hover = ({ pointerType, clientX, currentTarget }: PointerEvent) => {
    if (pointerType === 'touch') return
    const { left, width } = currentTarget.getBoundingClientRect()
    setHovered({ share: Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) })
  }
  const press = (event: KeyboardEvent) => {
    const by = arrows[event.key]
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    player.seekBy(by * (durationS > LONG_S ? 5 : 1))
  }
  const duration = formatDuration(durationS)
  return (
    <div
      className={`flex min-w-0 items-center gap-3 px-2 text-muted text-xs tabular-nums ${isInRow ? 'flex-1' : 'w-full'}`}
    >
      <span className="text-ink">{timeText(timeS)}</span>
      <Slider.Root
        className="min-w-0 flex-1"
        min={0}
        max={Math.max(durationS, 0.01)}
        step={0.01}
        largeStep={10}
        value={Math.min(timeS, durationS)}
        onValueChange={(value, { reason }) => {
          if (reason === 'keyboard') player.seek(value)
          else player.scrub(value)
        }}
        onValueCommitted={() => player.endScrub()}
      >
        <Slider.Control
          className="group/seek relative flex h-6 w-full cursor-pointer touch-none items-center pointer-coarse:h-10"
          onPointerMove={hover}
          onPointerLeave={() => setHovered(null)}
        >
          <Slider.Track className="h-1 w-full rounded-full bg-ink/25 forced-colors:outline transition-[height] group-hover/seek:h-1.5">
            <Slider.Indicator className="rounded-full bg-accent" />
            <Slider.Thumb
              className="size-3 rounded-full bg-ink shadow-raised forced-colors:border-2 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 pointer-coarse:size-5"
              getAriaLabel={() => 'Seek'}
              getAriaValueText={() => `${timeText(timeS)} of ${duration}`}
              onKeyDown={press}
            />
          </Slider.Track>
          {hovered && (
            <FramePreview
              url={player.url}
              size={size}
              timeS={hovered.share * durationS}
              {...hovered}
            />
          )}
        </Slider.Control>
      </Slider.Root>
      <span>{duration}</span>
    </div>
  )
}

const arrows: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
}

/** Returns the time in seconds, for each frame of the screen while the video plays and the bar is visible. */
function useTime(player: VideoPlayer, isIdle: boolean): number {
  const timeS = usePlayback(player, (playback) => playback.timeS)
  const isPlaying = usePlayback(player, (playback) => playback.isPlaying)
  const [nowS, setNowS] = useState(0)
  const isRunning = isPlaying && !isIdle
  useEffect(() => {
    if (!isRunning) return
    let frame = 0
    const show = () => {
      setNowS(player.now)
      frame = requestAnimationFrame(show)
    }
    show()
    return () => cancelAnimationFrame(frame)
  }, [player, isRunning])
  return isRunning ? nowS : timeS
}

/** Longest side of the frame above the bar, in pixels. */
const PREVIEW_PX = 160

interface FramePreviewProps {
  url: string
  size: Size
  timeS: number
  /** The place of the pointer on the bar, from 0 to 1. */
  share: number
}

/** The frame at the pointer, and its time. A second video shows it, so that the first one plays on. */
function FramePreview({ url, size, timeS, share }: FramePreviewProps) {
  const element = useRef<HTMLVideoElement>(null)
  const seeker = useRef<Seeker | null>(null)
  const [hasFrame, setHasFrame] = useState(false)
  const scale = PREVIEW_PX / Math.max(size.width, size.height)
  useEffect(() => {
    const video = element.current
    if (video === null) return
    const attached = new AbortController()
    seeker.current = new Seeker(video, attached.signal)
    video.src = url
    return () => {
      attached.abort()
      video.removeAttribute('src')
      video.load()
    }
  }, [url])
  useEffect(() => seeker.current?.seek(timeS), [timeS])
  const widthPx = Math.round(size.width * scale)
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute bottom-full mb-1 flex flex-col items-center overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
      style={{
        left: `clamp(0px, calc(${share * 100}% - ${widthPx / 2}px), calc(100% - ${widthPx}px))`,
        width: widthPx,
      }}
    >
      {!savesData() && (
        <video
          ref={element}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          onSeeked={() => setHasFrame(true)}
          className="bg-sunken"
          style={{
            width: widthPx,
            height: Math.round(size.height * scale),
            opacity: hasFrame ? 1 : 0,
          }}
        />
      )}
      <span className="py-0.5 text-ink">{timeText(timeS)}</span>
    </span>
  )
}
