import { Slider } from '@base-ui/react/slider'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { STRIP_FRAMES } from '#contract/limits.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { savesData } from '#gallery/ui/motion.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { Seeker } from '#gallery/ui/video/seeker.ts'
import { StripFrame } from '#gallery/ui/video/strip-frame.tsx'
import { usePlayback, type VideoPlayer } from './video-player.ts'

/** In videos longer than this, the arrow keys move by more, in seconds. */
const LONG_S = 60

/** Returns text such as `0:03`, for a time of which no part has to be rounded up. */
const timeText = (timeS: number): string => formatDuration(Math.floor(timeS + 0.001))

interface SeekBarProps {
  player: VideoPlayer
  image: ImageRecord
  /** True while the bar is hidden. */
  isIdle: boolean
  /** True if other controls are in the same row. */
  isInRow: boolean
}

/** The time of the video and a slider for it. The pointer or the finger shows the frame at its place. */
export function SeekBar({ player, image, isIdle, isInRow }: SeekBarProps) {
  const durationS = usePlayback(player, (playback) => playback.durationS)
  const timeS = useTime(player, isIdle)
  const [hovered, setHovered] = useState<{ share: number; isTouch: boolean } | null>(null)
  const hover = ({ pointerType, clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)))
    setHovered({ share, isTouch: pointerType === 'touch' })
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
          onPointerCancel={() => setHovered(null)}
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
              image={image}
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

/** How long the pointer rests before the exact frame is loaded, in milliseconds. */
const REST_MS = 300

interface FramePreviewProps {
  url: string
  image: ImageRecord
  timeS: number
  /** The place of the pointer on the bar, from 0 to 1. */
  share: number
  /** True for a finger, whose seeks the video itself shows. */
  isTouch: boolean
}

/** The frame at the pointer, and its time: from the strip at once, and the exact one while the pointer rests. */
function FramePreview({ url, image, timeS, share, isTouch }: FramePreviewProps) {
  const { client } = useGallery()
  const hasStrips = useHasExtension('video_strips')
  const [strip, setStrip] = useState<'loading' | 'shown' | 'failed'>('loading')
  const isResting = useIsResting(timeS)
  const scale = PREVIEW_PX / Math.max(image.width, image.height)
  const widthPx = Math.round(image.width * scale)
  const heightPx = Math.round(image.height * scale)
  const isExact = !isTouch && (!hasStrips || strip !== 'shown' || isResting)
  const hasPicture = !savesData() && (!isTouch || (hasStrips && strip !== 'failed'))
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute bottom-full mb-1 box-content flex flex-col items-center overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
      style={{
        left: `clamp(0px, calc(${share * 100}% - ${widthPx / 2}px), calc(100% - ${widthPx}px))`,
        width: widthPx,
      }}
    >
      {hasPicture && (
        <span className="relative block bg-sunken" style={{ width: widthPx, height: heightPx }}>
          {hasStrips && strip !== 'failed' && (
            <StripFrame
              url={client.videos.stripUrl({ video_name: image.image_name })}
              frames={STRIP_FRAMES}
              {...{ share, widthPx, heightPx }}
              onLoad={() => setStrip('shown')}
              onError={() => setStrip('failed')}
            />
          )}
          {isExact && <ExactFrame url={url} timeS={timeS} />}
        </span>
      )}
      <span className="py-0.5 text-ink">{timeText(timeS)}</span>
    </span>
  )
}

function useIsResting(timeS: number): boolean {
  const [restedAt, setRestedAt] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRestedAt(timeS), REST_MS)
    return () => clearTimeout(timer)
  }, [timeS])
  return restedAt === timeS
}

/** The frame at a time. A second video shows it, so that the first one plays on. */
function ExactFrame({ url, timeS }: { url: string; timeS: number }) {
  const element = useRef<HTMLVideoElement>(null)
  const seeker = useRef<Seeker | null>(null)
  const [hasFrame, setHasFrame] = useState(false)
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
  return (
    <video
      ref={element}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      onSeeked={() => setHasFrame(true)}
      className="absolute inset-0 size-full"
      style={{ opacity: hasFrame ? 1 : 0 }}
    />
  )
}
