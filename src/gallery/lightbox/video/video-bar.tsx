import { Slider } from '@base-ui/react/slider'
import {
  Pause,
  PictureInPicture2,
  Play,
  Repeat,
  StepBack,
  StepForward,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { VIEWER_SCOPE, viewerElement, viewerKeys } from '#gallery/lightbox/viewer-keys.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { Menu, MenuChoice } from '#gallery/ui/popups/menu.tsx'
import { SeekBar } from './seek-bar.tsx'
import {
  hasPictureInPicture,
  SPEEDS,
  useIsMuted,
  usePlayback,
  type VideoPlayer,
} from './video-player.ts'
import { useSound } from './video-preferences.ts'

interface VideoBarProps {
  player: VideoPlayer
  image: ImageRecord
  /** True while the bar is hidden. */
  isIdle: boolean
  /** True if there is little room: the controls are in one row. */
  isCramped: boolean
  /** The buttons that zoom. */
  zoom: ReactNode
}

const SEEK_S = 5

/** The controls of a video, over its lower edge. */
export function VideoBar({ player, image, isIdle, isCramped, zoom }: VideoBarProps) {
  const isPlaying = usePlayback(player, (playback) => playback.isPlaying)
  const isLooping = usePlayback(player, (playback) => playback.isLooping)
  const isInPicture = usePlayback(player, (playback) => playback.isInPicture)
  const hasSound = image.video?.has_sound !== false
  useVideoKeys(player, hasSound)
  useRaisedToasts()
  // For example on a phone with open details.
  const folded = isCramped ? '@max-xl:hidden' : ''
  return (
    <fieldset
      aria-label="Video controls"
      // A finger that rests on a slider must not open the menu of the viewer.
      onTouchStart={(event) => event.stopPropagation()}
      onContextMenu={(event) => event.stopPropagation()}
      className="fade-when-idle @container absolute inset-x-3 bottom-3 mx-auto max-w-3xl rounded-lg border border-line bg-raised/90 p-1 shadow-raised backdrop-blur-sm"
    >
      <div className={`flex items-center ${isCramped ? '' : 'flex-wrap'}`}>
        <SeekBar player={player} image={image} isIdle={isIdle} isInRow={isCramped} />
        <div className={`flex items-center ${isCramped ? '-order-1' : 'flex-1'}`}>
          <IconButton
            label={isPlaying ? 'Pause' : 'Play'}
            icon={isPlaying ? Pause : Play}
            commandId={viewerKeys.play.id}
            filled
            className="text-ink"
            onClick={player.toggle}
          />
          <div className={`flex items-center ${folded}`}>
            <IconButton
              label={viewerKeys.previousFrame.label}
              icon={StepBack}
              commandId={viewerKeys.previousFrame.id}
              onClick={() => player.step(-1)}
            />
            <IconButton
              label={viewerKeys.nextFrame.label}
              icon={StepForward}
              commandId={viewerKeys.nextFrame.id}
              onClick={() => player.step(1)}
            />
            {hasSound && <Volume player={player} />}
          </div>
        </div>
        <div className={`flex items-center ${folded}`}>
          <IconButton
            label={viewerKeys.loop.label}
            icon={Repeat}
            commandId={viewerKeys.loop.id}
            aria-pressed={isLooping}
            className={isLooping ? 'bg-hover text-ink' : ''}
            onClick={player.toggleLoop}
          />
          <SpeedMenu player={player} />
          {hasPictureInPicture() && (
            <IconButton
              label="Picture in picture"
              icon={PictureInPicture2}
              aria-pressed={isInPicture}
              className={`@max-xs:hidden ${isInPicture ? 'bg-hover text-ink' : ''}`}
              onClick={() => void player.togglePicture()}
            />
          )}
          {/* On touch screens, a pinch and a double tap zoom. */}
          <span className="@max-2xl:hidden ml-1 border-line border-l pl-1 pointer-coarse:hidden">
            {zoom}
          </span>
        </div>
      </div>
    </fieldset>
  )
}

/** Mutes, and changes the volume with a mouse. Phones have keys for it. */
function Volume({ player }: { player: VideoPlayer }) {
  const isMuted = useIsMuted(player)
  const volume = useSound((sound) => sound.volume)
  const shown = isMuted ? 0 : volume
  return (
    <>
      <IconButton
        label={viewerKeys.mute.label}
        icon={isMuted ? VolumeX : volume < 0.5 ? Volume1 : Volume2}
        commandId={viewerKeys.mute.id}
        aria-pressed={isMuted}
        onClick={player.toggleMuted}
      />
      <Slider.Root
        className="@max-md:hidden w-20 px-2 pointer-coarse:hidden"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        onValueChange={(value) => player.setVolume(value)}
      >
        <Slider.Control className="flex h-8 w-full cursor-pointer touch-none items-center">
          <Slider.Track className="h-1 w-full rounded-full bg-ink/25 forced-colors:outline">
            <Slider.Indicator className="rounded-full bg-ink" />
            <Slider.Thumb
              className="size-3 rounded-full bg-ink forced-colors:border-2 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
              getAriaLabel={() => 'Volume'}
              getAriaValueText={() => `${Math.round(shown * 100)} %`}
            />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
    </>
  )
}

function SpeedMenu({ player }: { player: VideoPlayer }) {
  const speed = usePlayback(player, (playback) => playback.speed)
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`Speed: ${speed}`}
          className="h-8 min-w-11 rounded text-muted text-xs tabular-nums hover:bg-hover hover:text-ink pointer-coarse:h-11"
        >
          {speed}×
        </button>
      }
    >
      <MenuChoice
        label="Speed"
        value={String(speed)}
        options={SPEEDS.map((value) => ({ value: String(value), label: `${value}×` }))}
        onChoose={(chosen) => player.setSpeed(Number(chosen))}
      />
    </Menu>
  )
}

/** Moves toasts above the controls. */
function useRaisedToasts(): void {
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--player', '2.5rem')
    return () => void style.removeProperty('--player')
  }, [])
}

/** The keys of a video. Space still presses a focused button. */
function useVideoKeys(player: VideoPlayer, hasSound: boolean): void {
  const isForControl = ({ key, target }: KeyboardEvent) =>
    key === ' ' && target instanceof Element && target.closest('button, summary, a') !== null
  useCommands(
    VIEWER_SCOPE,
    [
      { ...viewerKeys.play, run: player.toggle },
      ...(hasSound ? [{ ...viewerKeys.mute, run: player.toggleMuted }] : []),
      { ...viewerKeys.loop, run: player.toggleLoop },
      { ...viewerKeys.previousFrame, run: () => player.step(-1) },
      { ...viewerKeys.nextFrame, run: () => player.step(1) },
      { ...viewerKeys.back, run: () => player.seekBy(-SEEK_S) },
      { ...viewerKeys.forward, run: () => player.seekBy(SEEK_S) },
      { ...viewerKeys.slower, run: () => player.changeSpeed(-1) },
      { ...viewerKeys.faster, run: () => player.changeSpeed(1) },
    ],
    { within: viewerElement, when: (event) => !isForControl(event) },
  )
}
