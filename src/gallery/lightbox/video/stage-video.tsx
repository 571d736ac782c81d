import { LoaderCircle, Play } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { Size } from '#gallery/ui/stage/fit-box.ts'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { startsByItself, usePlayback, type VideoPlayer } from './video-player.ts'

/** Longest side of the poster of a video that does not play, in pixels. */
const POSTER_PX = 1536

/** A press that moves farther pans the video, in pixels. */
const CLICK_PX = 5

interface StageVideoProps {
  image: ImageRecord
  fitted: Size
  isPixelated: boolean
  player: VideoPlayer
}

/**
 * The video, and above it its poster until the first frame is drawn. Browsers do not draw a hidden video, so that showing it
 * later would leave a gap. A click plays and pauses it.
 */
export function StageVideo({ image, fitted, isPixelated, player }: StageVideoProps) {
  const { client } = useGallery()
  const element = useRef<HTMLVideoElement>(null)
  const pressed = useRef<{ x: number; y: number } | null>(null)
  const url = client.images.fullUrl(image)
  const isShown = usePlayback(
    player,
    ({ hasFrame, hasStarted, timeS }) => hasFrame && (hasStarted || timeS > 0),
  )
  const isStill = usePlayback(player, ({ failure }) => failure !== null) || !startsByItself()

  // The record changes with its star, and the video plays on.
  const attach = useEffectEvent(() => element.current && player.attach(element.current, image, url))
  // In a layout effect, so that its cleanup runs before the removal.
  useLayoutEffect(() => attach() ?? undefined, [])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click is a shortcut for the Play button
    // biome-ignore lint/a11y/useKeyWithClickEvents: the viewer handles the keys
    <div
      className="viewed-picture relative shrink-0"
      style={fitted}
      onPointerDown={({ pointerType, button, clientX, clientY }) => {
        // A tap shows the controls, so it must not pause.
        const isClick = pointerType !== 'touch' && button === 0
        pressed.current = isClick ? { x: clientX, y: clientY } : null
      }}
      onClick={({ clientX, clientY }) => {
        const start = pressed.current
        if (start && Math.hypot(clientX - start.x, clientY - start.y) < CLICK_PX) player.toggle()
      }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: the files have no captions */}
      <video
        ref={element}
        aria-label={imageLabelOf(image)}
        playsInline
        className="absolute inset-0 size-full"
        style={{ imageRendering: isPixelated ? 'pixelated' : 'auto' }}
      />
      {!isShown && (
        <>
          <img
            src={client.images.thumbnailUrl(image)}
            alt=""
            draggable={false}
            className="absolute inset-0 size-full"
          />
          {isStill && (
            <img
              src={client.images.thumbnailUrl(image, POSTER_PX)}
              alt=""
              draggable={false}
              className="absolute inset-0 size-full"
            />
          )}
        </>
      )}
    </div>
  )
}

/** Starts a video that did not start by itself. Keys and screen readers use the button of the controls. */
export function StartButton({ player }: { player: VideoPlayer }) {
  const isOffered = usePlayback(
    player,
    ({ needsStart, timeS, failure }) => needsStart && timeS === 0 && failure === null,
  )
  if (!isOffered) return null
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={() => void player.play()}
      className="absolute inset-0 m-auto flex size-16 items-center justify-center rounded-full border border-line bg-raised/80 text-ink shadow-raised transition-colors hover:bg-raised"
    >
      <Play aria-hidden size={28} fill="currentColor" className="translate-x-0.5" />
    </button>
  )
}

/** Shows that the next frame takes a moment. */
export function WaitingSign({ player }: { player: VideoPlayer }) {
  const isWaiting = usePlayback(player, (playback) => playback.isWaiting)
  if (!isWaiting) return null
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-0 flex items-center justify-center text-ink"
    >
      <span className="rounded-full bg-sunken/70 p-3">
        <LoaderCircle aria-hidden size={24} className="animate-spin" />
      </span>
      <span className="sr-only">Loading the video</span>
    </div>
  )
}
