import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { STRIP_FRAMES } from '#contract/limits.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { MOTION, savesData } from '#gallery/ui/motion.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import { canPlayCodec } from '#gallery/ui/video/codecs.ts'
import { Seeker } from '#gallery/ui/video/seeker.ts'
import { StripFrame } from '#gallery/ui/video/strip-frame.tsx'
import type { TileSize } from './thumbnail-size.ts'

/** How long the pointer rests on a tile before its video is loaded, in milliseconds. */
const REST_MS = 300

/** How long the pointer is still before a scrubbed video plays on, in milliseconds. */
const STILL_MS = 600

interface HoverVideoProps extends TileSize {
  record: ImageRecord
  tile: RefObject<HTMLElement | null>
}

/**
 * Plays the video of a tile under the pointer, without sound. Moving the pointer along the tile seeks. A video that the
 * browser cannot play shows the frames of its strip. The picture of the tile stays below it until the first frame is there.
 */
export function HoverVideo(props: HoverVideoProps) {
  const hasMotion = useMedia(MOTION)
  const [isRested, setIsRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsRested(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isRested && hasMotion && !savesData() ? <MovingPicture {...props} /> : null
}

function MovingPicture(props: HoverVideoProps) {
  const hasStrips = useHasExtension('video_strips')
  const [isPlayable, setIsPlayable] = useState(() =>
    canPlayCodec(props.record.video?.codec ?? null),
  )
  if (isPlayable) return <Playing {...props} onFailure={() => setIsPlayable(false)} />
  return hasStrips ? <Strip {...props} /> : null
}

/** Returns the place of the pointer in a tile, from 0 at the left to 1. */
const shareOf = (element: HTMLElement, { clientX }: PointerEvent): number => {
  const { left, width } = element.getBoundingClientRect()
  return Math.min(Math.max((clientX - left) / width, 0), 1)
}

function Strip({ record, tile, widthPx, heightPx }: HoverVideoProps) {
  const { client } = useGallery()
  const [share, setShare] = useState<number | null>(null)
  const [isThere, setIsThere] = useState(false)
  useEffect(() => {
    const element = tile.current
    if (element === null) return
    const attached = new AbortController()
    const scrub = (event: PointerEvent) => setShare(shareOf(element, event))
    element.addEventListener('pointermove', scrub, { signal: attached.signal })
    return () => attached.abort()
  }, [tile])
  // Covers the box of the picture, as `object-cover` does.
  const scale = Math.max(widthPx / record.width, heightPx / record.height)
  const isShown = isThere && share !== null
  return (
    <span
      aria-hidden
      className={`pointer-events-none absolute flex items-center justify-center overflow-hidden rounded-sm ${isShown ? '' : 'opacity-0'}`}
      style={{ width: widthPx, height: heightPx }}
    >
      <StripFrame
        url={client.videos.stripUrl({ video_name: record.image_name })}
        frames={STRIP_FRAMES}
        share={share ?? 0}
        widthPx={record.width * scale}
        heightPx={record.height * scale}
        onLoad={() => setIsThere(true)}
      />
      <span className={timeBar} style={{ scale: `${share ?? 0} 1` }} />
    </span>
  )
}

/** The line at the lower edge. Its length is the time. */
const timeBar = 'absolute inset-x-0 bottom-0 h-0.5 origin-left bg-white/90'

interface PlayingProps extends HoverVideoProps {
  /** Called if the browser cannot play the video. */
  onFailure: () => void
}

function Playing({ record, tile, widthPx, heightPx, onFailure }: PlayingProps) {
  const { client } = useGallery()
  const video = useRef<HTMLVideoElement>(null)
  const bar = useRef<HTMLSpanElement>(null)
  const [isThere, setIsThere] = useState(false)
  const duration = record.video?.duration ?? 0

  useEffect(() => {
    const element = tile.current
    const player = video.current
    if (element === null || player === null) return
    // A browser may refuse to play, also without sound. Then the first frame stays.
    const play = () => void player.play().catch(() => {})
    const attached = new AbortController()
    const seeker = new Seeker(player, attached.signal)
    let timer: ReturnType<typeof setTimeout> | undefined
    const scrub = (event: PointerEvent) => {
      player.pause()
      seeker.seek(shareOf(element, event) * duration)
      clearTimeout(timer)
      timer = setTimeout(play, STILL_MS)
    }
    play()
    element.addEventListener('pointermove', scrub, { signal: attached.signal })
    return () => {
      clearTimeout(timer)
      attached.abort()
      // Ends the download. Without it, the browser keeps a player for each tile that was ever hovered.
      player.removeAttribute('src')
      player.load()
    }
  }, [tile, duration])

  const showTime = () => {
    const player = video.current
    if (player === null || bar.current === null || duration === 0) return
    bar.current.style.scale = `${player.currentTime / duration} 1`
  }
  return (
    <span
      aria-hidden
      data-playing={isThere || undefined}
      className={`pointer-events-none absolute overflow-hidden rounded-sm ${isThere ? '' : 'opacity-0'}`}
      style={{ width: widthPx, height: heightPx }}
    >
      <video
        ref={video}
        src={client.images.fullUrl(record)}
        muted
        loop
        playsInline
        disableRemotePlayback
        tabIndex={-1}
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && onFailure()}
        onLoadedData={() => setIsThere(true)}
        onError={onFailure}
        onTimeUpdate={showTime}
        onSeeked={showTime}
        className="size-full object-cover"
      />
      <span ref={bar} className={`${timeBar} scale-x-0`} />
    </span>
  )
}
