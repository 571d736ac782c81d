import { imageFormats, imageMediaTypes } from '#contract/image-formats.ts'
import { boxAfter, type SizePx, type StepOf } from '#gallery/api/process/process-steps.ts'
import {
  applyStep,
  type BrowserStep,
  fitWithin,
  type Pixels,
  type PreviewImage,
} from './preview-pixels.ts'

export interface PreviewJob {
  readonly imageName: string
  readonly url: string
  /** Size of the real image if the file at `url` is a smaller version; null: the size of the file. */
  readonly size: SizePx | null
  readonly steps: readonly BrowserStep[]
  /** Longest side on the screen, in device pixels. */
  readonly limitPx: number
  /** Changing the number computes the job again. */
  readonly attempt: number
}

export interface PreviewResult {
  readonly bitmap: ImageBitmap
  readonly size: SizePx
  /** True if the file has several frames. The preview and the server use the first one. */
  readonly isAnimated: boolean
}

export interface PreviewAnswer {
  readonly job: PreviewJob
  readonly result: PreviewResult | null
  /** Error message if there is no result. */
  readonly reason: string | null
}

interface Source {
  readonly blob: Blob
  readonly bitmap: ImageBitmap
  readonly isDeepGray: boolean
  readonly isAnimated: boolean
}

/** A part of the real image, in its pixels. */
interface Part extends SizePx {
  readonly x: number
  readonly y: number
}

/** Maximum number of preview pixels, which bounds the time of the slowest step. */
const MAX_PIXELS = 4_000_000

/** Resolution factor for chains that crop or apply a threshold, compared with the screen. */
const FINER = 2

/** Below this alpha (of 255) a canvas returns colors too coarsely. */
const FAINT_ALPHA = 32

/** While the user drags a slider, a result is shown at least this often, in milliseconds. */
const MAX_SILENCE_MS = 200

/** Computes previews, always the newest job first. It keeps the last image and its pixels. */
class PreviewMaker {
  /** The newest job that has not started. */
  #next: PreviewJob | null = null
  #isBusy = false
  /** Time of the last result, or of the first job after a pause. */
  #silentSince = 0
  #loading: { url: string; source: Promise<Source>; abort: AbortController } | null = null
  #drawn: { key: string; pixels: Pixels } | null = null

  request(job: PreviewJob): void {
    this.#next = job
    if (this.#loading !== null && this.#loading.url !== job.url) this.#forgetImage()
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    this.#silentSince = performance.now()
    while (this.#next !== null) {
      const job = this.#next
      this.#next = null
      const answer = await this.#answerTo(job)
      if (answer === null) continue
      self.postMessage(answer, { transfer: answer.result ? [answer.result.bitmap] : [] })
      this.#silentSince = performance.now()
    }
    this.#isBusy = false
  }

  /** Returns the answer to a job; null if a newer job replaces it. */
  async #answerTo(job: PreviewJob): Promise<PreviewAnswer | null> {
    try {
      const result = await this.#run(job, await this.#load(job.url))
      return result && { job, result, reason: null }
    } catch (error) {
      // A newer job for another image aborted the download.
      if (this.#next !== null) return null
      return { job, result: null, reason: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Returns true if there is a newer job. A constant stream of jobs must not prevent every result from being shown. */
  async #isOutdated(): Promise<boolean> {
    // Messages are received only between tasks.
    await new Promise((resolve) => setTimeout(resolve))
    return this.#next !== null && performance.now() - this.#silentSince < MAX_SILENCE_MS
  }

  async #run(
    { url, size, steps, limitPx }: PreviewJob,
    source: Source,
  ): Promise<PreviewResult | null> {
    if (await this.#isOutdated()) return null
    const { bitmap, isDeepGray } = source
    const whole = size ?? { width: bitmap.width, height: bitmap.height }
    // For 16-bit gray a crop changes the values too.
    const { part, rest }: { part: Part; rest: readonly BrowserStep[] } = isDeepGray
      ? { part: { x: 0, y: 0, ...whole }, rest: steps }
      : withoutFirstCrops(whole, steps)
    const finePx = isFinerNeeded(rest) ? limitPx * FINER : limitPx
    const pixels = await this.#draw(source, url, whole, part, finePx)
    let image: PreviewImage = { pixels, size: part, isDeepGray }
    for (const step of rest) {
      if (await this.#isOutdated()) return null
      image = applyStep(image, step, finePx)
    }
    const { width, height, data } = image.pixels
    const shown = new ImageData(new Uint8ClampedArray(data.buffer), width, height)
    return {
      bitmap: await createImageBitmap(shown),
      size: { width: image.size.width, height: image.size.height },
      isAnimated: source.isAnimated,
    }
  }

  /** Downloads and decodes an image once. Drops the previous image. */
  #load(url: string): Promise<Source> {
    if (this.#loading?.url === url) return this.#loading.source
    this.#forgetImage()
    const abort = new AbortController()
    const source = download(url, abort.signal)
    this.#loading = { url, source, abort }
    source.catch(() => {
      if (this.#loading?.source === source) this.#loading = null
    })
    return source
  }

  #forgetImage(): void {
    this.#loading?.abort.abort()
    this.#loading?.source.then(
      ({ bitmap }) => bitmap.close(),
      () => {},
    )
    this.#loading = null
    this.#drawn = null
  }

  /** Returns the pixels of a part of an image, at the resolution of the screen. */
  async #draw(
    source: Source,
    url: string,
    whole: SizePx,
    part: Part,
    limitPx: number,
  ): Promise<Pixels> {
    // A smaller version of the image has no finer pixels.
    const scale = { x: source.bitmap.width / whole.width, y: source.bitmap.height / whole.height }
    const cut = [
      part.x * scale.x,
      part.y * scale.y,
      part.width * scale.x,
      part.height * scale.y,
    ] as const
    const longestPx = Math.max(part.width, part.height)
    const mostPx = longestPx * Math.sqrt(MAX_PIXELS / (part.width * part.height))
    const shown = fitWithin(part, Math.min(limitPx, mostPx, Math.max(cut[2], cut[3])))
    const key = JSON.stringify([url, cut, shown])
    if (this.#drawn?.key === key) return this.#drawn.pixels
    const { width, height } = shown
    const context = new OffscreenCanvas(width, height).getContext('2d', {
      willReadFrequently: true,
    })
    if (context === null) throw new Error('The browser has no memory left for the preview')
    context.imageSmoothingQuality = 'high'
    context.drawImage(source.bitmap, ...cut, 0, 0, width, height)
    const data = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer)
    await restoreFaintColors(data, source.blob, cut, shown)
    const pixels = { width, height, data }
    this.#drawn = { key, pixels }
    return pixels
  }
}

const maker = new PreviewMaker()
self.addEventListener('message', ({ data }: MessageEvent<PreviewJob>) => maker.request(data))

/** Replaces the first crops by the part that they select, which is then drawn at the resolution of the screen. */
function withoutFirstCrops(whole: SizePx, steps: readonly BrowserStep[]) {
  let part: Part = { x: 0, y: 0, ...whole }
  const first = steps.findIndex(({ kind }) => kind !== 'crop')
  const crops = first < 0 ? steps : steps.slice(0, first)
  for (const crop of crops as readonly StepOf<'crop'>[]) {
    const box = boxAfter(crop, part)
    part = { ...box, x: part.x + box.x, y: part.y + box.y }
  }
  return { part, rest: steps.slice(crops.length) }
}

const isFinerNeeded = (steps: readonly BrowserStep[]): boolean =>
  steps.some((step) => step.kind === 'crop' || (step.kind === 'mask' && step.by === 'color'))

async function download(url: string, signal: AbortSignal): Promise<Source> {
  const response = await fetch(url, { signal }).catch(() => null)
  if (!response?.ok) throw new Error('The image could not be loaded')
  const blob = await response.blob()
  const bitmap = await createImageBitmap(blob).catch(() => null)
  if (bitmap === null) throw new Error('The browser cannot read this image')
  const [isDeepGray, isAnimated] = await Promise.all([isDeepGrayPng(blob), hasFrames(blob)])
  return { blob, bitmap, isDeepGray, isAnimated }
}

const ANIMATED_TYPES: readonly string[] = imageMediaTypes.filter(
  (mediaType) => imageFormats[mediaType].canBeAnimated,
)

/** Returns true if a file has several frames. False if the browser cannot tell. */
async function hasFrames(blob: Blob): Promise<boolean> {
  if (!('ImageDecoder' in self) || !ANIMATED_TYPES.includes(blob.type)) return false
  const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: blob.type })
  try {
    await decoder.tracks.ready
    return (decoder.tracks.selectedTrack?.frameCount ?? 1) > 1
  } catch {
    return false
  } finally {
    decoder.close()
  }
}

/** Returns true if a file's header is that of a PNG in 16-bit gray (PNG specification, 11.2.2). */
async function isDeepGrayPng(blob: Blob): Promise<boolean> {
  const header = new DataView(await blob.slice(0, 26).arrayBuffer())
  if (header.byteLength < 26 || header.getUint32(0) !== 0x89504e47) return false
  const [bitDepth, colorType] = [header.getUint8(24), header.getUint8(25)]
  return bitDepth === 16 && colorType === 0
}

/**
 * Restores the colors of transparent pixels, which a canvas loses because it premultiplies. They become visible after a
 * step that removes the alpha. WebGL reads them as they are in the file. Without WebGL they stay lost.
 */
async function restoreFaintColors(
  data: Uint8Array,
  blob: Blob,
  [x, y, cutWidth, cutHeight]: readonly [number, number, number, number],
  { width, height }: SizePx,
): Promise<void> {
  const isFaint = (at: number) => (data[at + 3] ?? 0) < FAINT_ALPHA
  if (!data.some((_, at) => at % 4 === 0 && isFaint(at))) return
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')
  if (gl === null) return
  const atLeastOne = (length: number) => Math.max(1, Math.round(length))
  const bitmap = await createImageBitmap(
    blob,
    Math.round(x),
    Math.round(y),
    atLeastOne(cutWidth),
    atLeastOne(cutHeight),
    {
      premultiplyAlpha: 'none',
      resizeWidth: width,
      resizeHeight: height,
      resizeQuality: 'pixelated',
    },
  )
  const texture = gl.createTexture()
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap)
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer())
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
  const straight = new Uint8Array(data.length)
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, straight)
  const isRead = gl.getError() === gl.NO_ERROR
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  bitmap.close()
  if (!isRead) return
  for (let at = 0; at < data.length; at += 4) {
    if (isFaint(at)) data.set(straight.subarray(at, at + 3), at)
  }
}
