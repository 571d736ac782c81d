import { fileOfCanvas } from '#gallery/ui/files/canvas-file.ts'

/** Longest side of a poster: that of the largest thumbnail. */
const MAX_POSTER_PX = 1536

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

/**
 * Returns the frame that a video shows as PNG, in the size of the video. Waits until it has one.
 *
 * @throws If the video fails or is closed before.
 */
export async function frameOf(video: HTMLVideoElement): Promise<Blob> {
  await waitForFrame(video)
  return fileOfCanvas(canvasOf(video), 'image/png')
}

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
  return fileOfCanvas(canvasOf(video, videoWidth * scale, videoHeight * scale), 'image/jpeg')
}

/** Parts of the duration at which a frame is looked for. The first moments are often black. */
const PLACES = [0.1, 0.35, 0.6, 0.85]

/** A frame with less contrast, as the standard deviation of 8 bits, is almost one color. */
const MIN_CONTRAST = 12

/** Side of the square on which the contrast is measured, in pixels. */
const MEASURED_PX = 32

interface PosterSource {
  readonly url: string
  readonly durationS: number
  /** The time of the frame; null for one with good contrast, as servers choose it. */
  readonly timeS: number | null
}

/**
 * Loads a video and returns the frame for its poster.
 *
 * @throws If the browser cannot play it, or when the signal ends it.
 */
export async function loadPoster(
  { url, durationS, timeS }: PosterSource,
  signal: AbortSignal,
): Promise<Blob> {
  const video = document.createElement('video')
  // Also ends the download. Without `load`, the browser keeps the player.
  const close = () => {
    video.removeAttribute('src')
    video.load()
  }
  const showFrameAt = async (time: number) => {
    await waitForFrame(video)
    signal.throwIfAborted()
    video.currentTime = time
    await waitForFrame(video)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', close)
  try {
    video.muted = true
    video.preload = 'auto'
    video.src = url
    let [best, bestContrast] = [timeS ?? 0, -1]
    for (const place of timeS === null ? PLACES : []) {
      await showFrameAt(place * durationS)
      const contrast = contrastOf(video)
      if (contrast > bestContrast) [best, bestContrast] = [place * durationS, contrast]
      if (contrast >= MIN_CONTRAST) break
    }
    await showFrameAt(best)
    return await drawPoster(video)
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Returns the standard deviation of the brightness of the frame that a video shows. */
function contrastOf(video: HTMLVideoElement): number {
  const canvas = canvasOf(video, MEASURED_PX, MEASURED_PX)
  const { data } = contextOf(canvas).getImageData(0, 0, MEASURED_PX, MEASURED_PX)
  const count = data.length / 4
  let [sum, squares] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
    const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    sum += brightness
    squares += brightness ** 2
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

function canvasOf(
  video: HTMLVideoElement,
  widthPx = video.videoWidth,
  heightPx = video.videoHeight,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(widthPx))
  canvas.height = Math.max(1, Math.round(heightPx))
  contextOf(canvas).drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser draws no image')
  return context
}
