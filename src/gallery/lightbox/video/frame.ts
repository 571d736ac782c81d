/** Returns the file name of a frame: `boat 0-03.2.png` for a frame of `boat.mp4`. */
export function frameNameOf(fileName: string, timeS: number): string {
  const stem = fileName.replace(/\.\w{1,5}$/, '')
  const tenths = Math.floor(timeS * 10 + 0.01)
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, tenths % 600]
  const minutes = h > 0 ? `${h}-${String(m).padStart(2, '0')}` : String(m)
  return `${stem} ${minutes}-${(s / 10).toFixed(1).padStart(4, '0')}.png`
}

/**
 * Returns the frame that a video shows as PNG, in the size of the video. Waits until it has one.
 *
 * @throws If the video fails or is closed before.
 */
export async function frameOf(video: HTMLVideoElement): Promise<Blob> {
  await waitForFrame(video)
  return drawFrame(video, { type: 'image/png' })
}

/** Waits until a video shows the frame at its time. During a seek it has none, and `loadeddata` follows only the first. */
export async function waitForFrame(video: HTMLVideoElement): Promise<void> {
  if (video.preload === 'none') video.preload = 'auto'
  while (video.seeking || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const listening = new AbortController()
    const on = (types: readonly string[], act: () => void) => {
      for (const type of types) video.addEventListener(type, act, { signal: listening.signal })
    }
    on(['loadeddata', 'seeked', 'canplay'], resolve)
    on(['error', 'emptied'], () => reject(new Error('The video has no frame')))
    await promise.finally(() => listening.abort())
  }
}

/** Longest side of a poster: that of the largest thumbnail. */
const MAX_POSTER_PX = 1536

/**
 * Returns the frame that a video shows, reduced for a poster. Waits until it has one. JPEG, because Safari encodes no
 * WebP.
 *
 * @throws If the video fails or is closed before.
 */
export async function drawPoster(video: HTMLVideoElement): Promise<Blob> {
  await waitForFrame(video)
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, MAX_POSTER_PX / Math.max(videoWidth, videoHeight))
  return drawFrame(video, { type: 'image/jpeg', scale })
}

/** Returns the frame that a video shows as an image file. */
function drawFrame(
  video: HTMLVideoElement,
  { type, scale = 1 }: { type: 'image/png' | 'image/jpeg'; scale?: number },
): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((file) => {
      if (file === null) reject(new Error('The browser encodes no image'))
      else resolve(file)
    }, type)
  })
}
