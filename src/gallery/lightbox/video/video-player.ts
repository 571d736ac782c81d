import { createStore, useStore } from 'zustand'
import type { ImageRecord } from '#contract/image.ts'
import { MOTION, savesData } from '#gallery/ui/motion.ts'
import { Seeker } from '#gallery/ui/video/seeker.ts'
import { failureOf, type VideoFailure } from './video-failure.ts'
import { useSound } from './video-preferences.ts'

/** Shorter videos play again from the start, in seconds. */
const LOOPED_S = 15

/** The frame rate of a video whose own is not known. */
const USUAL_FPS = 30

/** Browsers ask again for minutes without an error. After this time the viewer asks the server, in milliseconds. */
const STALL_MS = 8_000

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2] as const

export interface Playback {
  readonly isPlaying: boolean
  /** True until the user starts it: it does not start by itself. */
  readonly needsStart: boolean
  /** True if it played at least once. */
  readonly hasStarted: boolean
  /** True if the browser has drawn a frame. Until then the poster is shown. */
  readonly hasFrame: boolean
  /** True while it plays and the next frame is not there yet. */
  readonly isWaiting: boolean
  /** The time of the last event. Read `now` while it plays. In seconds. */
  readonly timeS: number
  readonly durationS: number
  readonly speed: number
  readonly isLooping: boolean
  /** True if the browser plays sound only after a click or a key. */
  readonly isMutedByBrowser: boolean
  readonly isInPicture: boolean
  readonly failure: VideoFailure | null
}

const fresh = {
  isPlaying: false,
  needsStart: false,
  hasStarted: false,
  hasFrame: false,
  isWaiting: false,
  timeS: 0,
  durationS: 0,
  isLooping: false,
  isMutedByBrowser: false,
  isInPicture: false,
  failure: null,
} satisfies Partial<Playback>

/** Returns true if videos start by themselves. They do not for users who want less motion or fewer data. */
export const startsByItself = (): boolean => window.matchMedia(MOTION).matches && !savesData()

export const hasPictureInPicture = (): boolean =>
  document.pictureInPictureEnabled === true &&
  'requestPictureInPicture' in HTMLVideoElement.prototype

/** Plays a video. Returns false if the browser plays it only after a click or a key. */
async function canPlay(video: HTMLVideoElement): Promise<boolean> {
  try {
    await video.play()
    return true
  } catch (error) {
    // Also rejected if it is paused or fails before it plays.
    return !(error instanceof DOMException && error.name === 'NotAllowedError')
  }
}

/** Plays the videos of the viewer, one after another. The speed is the same for all of them. */
export class VideoPlayer {
  readonly store = createStore<Playback>(() => ({ ...fresh, speed: 1 }))
  #video: HTMLVideoElement | null = null
  #seeker: Seeker | null = null
  #clip: ImageRecord | null = null
  #url = ''
  #isOnce = false
  #resumesAfterScrub = false
  readonly #onEnd = new Set<() => void>()

  /** Loads a video into an element, and plays it unless the user wants otherwise. Returns a function that ends it. */
  attach(video: HTMLVideoElement, clip: ImageRecord, url: string): () => void {
    const attached = new AbortController()
    const { signal } = attached
    const durationS = clip.video?.duration ?? 0
    this.#video = video
    this.#clip = clip
    this.#url = url
    this.#seeker = new Seeker(video, signal)
    const isStarted = startsByItself()
    this.#set({ ...fresh, durationS, isLooping: durationS < LOOPED_S, needsStart: !isStarted })
    this.#listen(video, signal)
    video.preload = isStarted ? 'auto' : savesData() ? 'none' : 'metadata'
    video.src = url
    this.#apply()
    const stopSound = useSound.subscribe(() => this.#apply())
    if (isStarted) void this.play()
    return () => {
      attached.abort()
      stopSound()
      if (document.pictureInPictureElement === video) void document.exitPictureInPicture()
      video.pause()
      // Ends the download. Without `load`, the browser keeps the player.
      video.removeAttribute('src')
      video.load()
      if (this.#video === video) this.#video = null
    }
  }

  /** The current time in seconds. */
  get now(): number {
    return this.#seeker?.isSeeking ? this.#state.timeS : (this.#video?.currentTime ?? 0)
  }

  /** The address of the video, or of its copy. */
  get url(): string {
    return this.#url
  }

  /** The element, for its current frame. */
  get element(): HTMLVideoElement | null {
    return this.#video
  }

  async play(): Promise<void> {
    const video = this.#video
    if (video === null) return
    if (await canPlay(video)) return
    if (video !== this.#video) return
    if (!video.muted) {
      this.#set({ isMutedByBrowser: true })
      this.#apply()
      if (await canPlay(video)) return
    }
    this.#set({ needsStart: true })
  }

  readonly pause = (): void => this.#video?.pause()

  readonly toggle = (): void => {
    // The element knows at once that it plays, and the state only after the event.
    if (this.#state.isPlaying || this.#video?.paused === false) this.pause()
    else void this.play()
  }

  readonly toggleMuted = (): void => {
    const isMuted = useSound.getState().isMuted || this.#state.isMutedByBrowser
    this.#set({ isMutedByBrowser: false })
    useSound.setState(({ volume }) => ({ isMuted: !isMuted, volume: volume === 0 ? 1 : volume }))
  }

  setVolume(volume: number): void {
    this.#set({ isMutedByBrowser: false })
    useSound.setState({ volume, isMuted: volume === 0 })
  }

  readonly toggleLoop = (): void => {
    this.#set({ isLooping: !this.#state.isLooping })
    this.#apply()
  }

  setSpeed(speed: number): void {
    this.#set({ speed })
    this.#apply()
  }

  /** Chooses the next speed of the list. */
  changeSpeed(by: 1 | -1): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.#state.speed)
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))] ?? 1)
  }

  /** Plays to the end even if it loops. */
  setOnce(isOnce: boolean): void {
    this.#isOnce = isOnce
    this.#apply()
  }

  /** Calls back at the end of a video. Returns a function that stops it. */
  onEnd(listener: () => void): () => void {
    this.#onEnd.add(listener)
    return () => this.#onEnd.delete(listener)
  }

  seek(timeS: number): void {
    const video = this.#video
    if (video === null) return
    const bounded = Math.min(this.#state.durationS, Math.max(0, timeS))
    // Without data there is no frame to show.
    if (video.preload === 'none') video.preload = 'auto'
    this.#set({ timeS: bounded })
    this.#seeker?.seek(bounded)
  }

  seekBy(seconds: number): void {
    this.seek(this.now + seconds)
  }

  /** Pauses and shows the next or the previous frame. */
  step(by: 1 | -1): void {
    this.pause()
    const fps = this.#clip?.video?.fps ?? USUAL_FPS
    const frame = Math.floor(this.now * fps + 0.01)
    const last = Math.max(0, Math.ceil(this.#state.durationS * fps - 0.01) - 1)
    // The middle of a frame, because rounded times at its edge would show its neighbor.
    this.seek((Math.min(last, Math.max(0, frame + by)) + 0.5) / fps)
  }

  /** Seeks while the user drags. A playing video is held until `endScrub`. */
  scrub(timeS: number): void {
    if (this.#state.isPlaying && this.#video?.paused === false) {
      this.#resumesAfterScrub = true
      this.pause()
    }
    this.seek(timeS)
  }

  endScrub(): void {
    if (!this.#resumesAfterScrub) return
    this.#resumesAfterScrub = false
    void this.play()
  }

  /** Loads the video again, or a copy of it from `url`, and continues at the same time. */
  retry(url = this.#url): void {
    const video = this.#video
    if (video === null) return
    const { timeS } = this.#state
    this.#set({ failure: null, hasFrame: false })
    this.#url = url
    // Setting it loads again.
    video.src = url
    this.#apply()
    video.currentTime = timeS
    void this.play()
  }

  async togglePicture(): Promise<void> {
    try {
      if (document.pictureInPictureElement) await document.exitPictureInPicture()
      else await this.#video?.requestPictureInPicture()
    } catch {
      // The browser or the file does not allow it.
    }
  }

  get #state(): Playback {
    return this.store.getState()
  }

  #set(change: Partial<Playback>): void {
    this.store.setState(change)
  }

  /** Gives sound, speed and loop to the element. */
  #apply(): void {
    const video = this.#video
    if (video === null) return
    const { volume, isMuted } = useSound.getState()
    const { isMutedByBrowser, speed, isLooping } = this.#state
    video.volume = volume
    video.muted = isMuted || isMutedByBrowser
    video.defaultPlaybackRate = speed
    video.playbackRate = speed
    video.loop = isLooping && !this.#isOnce
  }

  #listen(video: HTMLVideoElement, signal: AbortSignal): void {
    const on = (types: readonly string[], act: () => void) => {
      for (const type of types) video.addEventListener(type, act, { signal })
    }
    const showTime = () => {
      // Setting `src` resets the time of a failed video, which `retry` needs.
      if (this.#seeker?.isSeeking || video.readyState === HTMLMediaElement.HAVE_NOTHING) return
      this.#set({ timeS: video.currentTime })
    }
    const fail = async (hasPicture: boolean) => {
      const clip = this.#clip
      if (clip === null) return
      const failure = await failureOf(clip, this.#url, hasPicture)
      if (!signal.aborted) this.#set({ failure, isPlaying: false, isWaiting: false })
    }
    on(['play'], () => this.#set({ isPlaying: true, hasStarted: true, needsStart: false }))
    on(['pause'], () => {
      showTime()
      if (!this.#resumesAfterScrub) this.#set({ isPlaying: false, isWaiting: false })
    })
    on(['timeupdate', 'seeked'], showTime)
    // In case a browser does not report the first frame.
    on(['timeupdate'], () => this.#state.isPlaying && video.currentTime > 0 && hasFrame())
    let stall: ReturnType<typeof setTimeout> | undefined
    const endStall = () => clearTimeout(stall)
    signal.addEventListener('abort', endStall)
    const askServer = async () => {
      const failure = this.#clip && (await failureOf(this.#clip, this.#url, true))
      if (signal.aborted || !this.#state.isWaiting) return
      if (failure === 'gone' || failure === 'unreachable') this.#set({ failure, isWaiting: false })
      else watchStall()
    }
    const watchStall = () => {
      endStall()
      stall = setTimeout(() => void askServer(), STALL_MS)
    }
    on(['waiting'], () => {
      this.#set({ isWaiting: true })
      watchStall()
    })
    on(['playing', 'canplay'], () => {
      endStall()
      this.#set({ isWaiting: false })
      // The browser reached the server again by itself.
      if (this.#state.failure === 'unreachable') this.#set({ failure: null })
    })
    on(['loadedmetadata'], () => {
      if (video.videoWidth === 0) void fail(false)
    })
    // Some browsers cannot report drawn frames. The first one is drawn soon after its data is there.
    const canReport = 'requestVideoFrameCallback' in video
    const hasFrame = () => !signal.aborted && this.#set({ hasFrame: true })
    on(['loadeddata'], () => (canReport ? video.requestVideoFrameCallback(hasFrame) : hasFrame()))
    on(['durationchange'], () => {
      if (Number.isFinite(video.duration)) this.#set({ durationS: video.duration })
    })
    on(['ended'], () => {
      this.#set({ isPlaying: false })
      for (const listener of this.#onEnd) listener()
    })
    on(['error'], () => void fail(true))
    on(['enterpictureinpicture'], () => this.#set({ isInPicture: true }))
    on(['leavepictureinpicture'], () => this.#set({ isInPicture: false }))
    const pauseHidden = () => {
      if (document.hidden && document.pictureInPictureElement !== video) video.pause()
    }
    document.addEventListener('visibilitychange', pauseHidden, { signal })
  }
}

/** Returns a part of the state of a player; re-renders when it changes. */
export const usePlayback = <T>(player: VideoPlayer, pick: (playback: Playback) => T): T =>
  useStore(player.store, pick)

/** Returns true if the video has no sound now, by choice or by the browser. */
export function useIsMuted(player: VideoPlayer): boolean {
  const isMutedByBrowser = usePlayback(player, (playback) => playback.isMutedByBrowser)
  return useSound(({ isMuted }) => isMuted) || isMutedByBrowser
}
