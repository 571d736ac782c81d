/**
 * Measurements of videos inside the page. Each function is sent to Chromium as source text, so it must not refer to
 * anything outside. A frame counts from the next frame of the screen on.
 */

/** Returns how long after the next key the viewer shows a frame of its video in place of the poster, in milliseconds. */
export function watchViewer(): { done: Promise<number> } {
  const { promise, resolve } = Promise.withResolvers<number>()
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      let hasFrame = false
      let watched: HTMLVideoElement | null = null
      const look = () => {
        const picture = document.querySelector('[role=dialog] .viewed-picture')
        const video = picture?.querySelector('video') ?? null
        if (video !== null && video !== watched) {
          watched = video
          video.requestVideoFrameCallback(() => {
            hasFrame = true
          })
        }
        if (hasFrame && picture?.querySelector('img') === null)
          resolve(performance.now() - timeStamp)
        else requestAnimationFrame(look)
      }
      look()
    },
    { capture: true, once: true },
  )
  return { done: promise }
}

/** Returns how long after the next press of the pointer the viewer shows the frame of a time, in milliseconds. */
export function watchFrame(timeS: number): { done: Promise<number> } {
  const video = document.querySelector<HTMLVideoElement>('[role=dialog] .viewed-picture video')
  if (video === null) throw new Error('no video')
  const { promise, resolve } = Promise.withResolvers<number>()
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      const look = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
        // The middle of the bar is a pixel wide.
        if (Math.abs(mediaTime - timeS) < 0.2) resolve(performance.now() - timeStamp)
        else video.requestVideoFrameCallback(look)
      }
      video.requestVideoFrameCallback(look)
    },
    { capture: true, once: true },
  )
  return { done: promise }
}

/** Plays a video in an empty page, and stops at its first frame. Returns when that is shown, in milliseconds. */
export async function showBareVideo(url: string): Promise<number> {
  const start = performance.now()
  const video = document.createElement('video')
  video.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%'
  document.body.replaceChildren(video)
  video.muted = true
  video.preload = 'auto'
  video.src = url
  void video.play()
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
  const shownMs = performance.now() - start
  video.pause()
  return shownMs
}

/** Seeks the video of the bare page. Returns when the frame is shown, in milliseconds. */
export async function seekBare(timeS: number): Promise<number> {
  const video = document.querySelector('video')
  if (video === null) throw new Error('no video')
  const start = performance.now()
  video.currentTime = timeS
  await new Promise<void>((resolve) => {
    const look = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      if (Math.abs(mediaTime - timeS) < 0.2) resolve()
      else video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
  })
  return performance.now() - start
}
