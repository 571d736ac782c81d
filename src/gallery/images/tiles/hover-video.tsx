import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { MOTION, savesData } from '#gallery/ui/motion.ts'
import { Seeker } from '#gallery/ui/seeker.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
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
 * Plays the video of a tile under the pointer, without sound. Moving the pointer along the tile seeks. The picture of the
 * tile stays below it until the first frame is there.
 */
export function HoverVideo(props: HoverVideoProps) {
  const hasMotion = useMedia(MOTION)
  const [isRested, setIsRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsRested(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isRested && hasMotion && !savesData() ? <Playing {...props} /> : null
}

function Playing({ record, tile, widthPx, heightPx }: HoverVideoProps) {
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
    const scrub = ({ clientX }: PointerEvent) => {
      const { left, width } = element.getBoundingClientRect()
      const part = Math.min(Math.max((clientX - left) / width, 0), 1)
      player.pause()
      seeker.seek(part * duration)
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
        onLoadedData={() => setIsThere(true)}
        onTimeUpdate={showTime}
        onSeeked={showTime}
        className="size-full object-cover"
      />
      <span
        ref={bar}
        className="absolute inset-x-0 bottom-0 h-0.5 origin-left scale-x-0 bg-white/90"
      />
    </span>
  )
}
