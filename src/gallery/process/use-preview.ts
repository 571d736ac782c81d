import { useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { undrawableFormat } from '#contract/image-formats.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { PreviewMaker, type PreviewPicture } from '#gallery/api/process/process-preview.ts'
import { chainReasonOf } from '#gallery/api/process/process-request.ts'
import type { Step } from '#gallery/api/process/process-steps.ts'
import type { BrowserStep } from './preview-pixels.ts'
import type { PreviewAnswer, PreviewJob, PreviewResult } from './preview-worker.ts'

export interface Preview {
  /** `computing`: in the browser. During an upscale, the state of the server's run. */
  readonly state: 'none' | 'computing' | 'made' | 'failed' | Upscaled['state']
  /** The last result for this image, also while the next one is computed. */
  readonly result: PreviewResult | null
  readonly reason: string | null
  readonly tryAgain: () => void
}

/** Longest side of the largest thumbnail. It replaces images that browsers cannot draw or that take too much memory. */
const THUMBNAIL_PX = 1536

/** Decoding more pixels than this takes over 200 MB in the browser. */
const MAX_DECODED_PIXELS = 50_000_000

/** Returns the reason why the thumbnail is drawn instead of the file; null: the file is drawn. */
export function whyThumbnail(image: ImageRecord): string | null {
  const format = undrawableFormat(image.media_type)
  if (format !== null) return `browsers cannot show ${format} files`
  if (image.width * image.height <= MAX_DECODED_PIXELS) return null
  return `the image has more than ${MAX_DECODED_PIXELS / 1e6} megapixels`
}

/** Returns the URL of the file or thumbnail that the dialog draws. */
export const drawnUrl = ({ images }: GalleryApi['client'], image: ImageRecord): string =>
  whyThumbnail(image) ? images.thumbnailUrl(image, THUMBNAIL_PX) : images.fullUrl(image)

/**
 * Returns the preview, computed in the browser whenever the chain or the image changes. Steps up to the last upscale
 * run on the server.
 *
 * @param steps - null: the chain is invalid.
 * @param limitPx - Longest side on the screen, in device pixels; null: not known yet.
 */
export function usePreview(
  steps: readonly Step[] | null,
  image: ImageRecord | null,
  limitPx: number | null,
): Preview {
  const { client } = useGallery()
  const [attempt, setAttempt] = useState(0)
  const tryAgain = () => setAttempt(attempt + 1)
  const upscales = steps?.findLastIndex(({ kind }) => kind === 'upscale') ?? -1
  const onServer = steps?.slice(0, upscales + 1) ?? []
  const inBrowser = (steps?.slice(upscales + 1) ?? []) as readonly BrowserStep[]
  const upscaled = useUpscaled(onServer, image, attempt)
  const isUpscaled = onServer.length > 0
  const source = isUpscaled
    ? upscaled.picture && { url: upscaled.picture.url, size: null }
    : image && sourceOf(client, image)
  const imageName = image?.image_name ?? ''
  const isReady = steps !== null && steps.length > 0 && source !== null && limitPx !== null
  const job: PreviewJob | null = isReady
    ? { imageName, ...source, steps: inBrowser, limitPx, attempt }
    : null
  const answer = useAnswer(job)

  if (steps === null || steps.length === 0 || image === null) {
    return { state: 'none', result: null, reason: null, tryAgain }
  }
  const result = answer?.job.imageName === imageName ? answer.result : null
  if (isUpscaled && upscaled.state !== 'made') {
    return { ...upscaled, result: upscaled.state === 'failed' ? null : result, tryAgain }
  }
  if (answer === null || JSON.stringify(answer.job) !== JSON.stringify(job)) {
    return { state: 'computing', result, reason: null, tryAgain }
  }
  return { state: result === null ? 'failed' : 'made', result, reason: answer.reason, tryAgain }
}

type Source = Pick<PreviewJob, 'url' | 'size'>

function sourceOf(client: GalleryApi['client'], image: ImageRecord): Source {
  const size = whyThumbnail(image) ? { width: image.width, height: image.height } : null
  return { url: drawnUrl(client, image), size }
}

/** Returns the worker's last answer, which may belong to an earlier job. */
function useAnswer(job: PreviewJob | null): PreviewAnswer | null {
  const worker = useRef<Worker | null>(null)
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null)
  const request = JSON.stringify(job)
  useEffect(() => {
    const started = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    let shown: ImageBitmap | undefined
    started.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
      // Closed explicitly: while a slider is dragged, garbage collection would free bitmaps too late.
      shown?.close()
      shown = data.result?.bitmap
      setAnswer(data)
    })
    worker.current = started
    return () => {
      worker.current = null
      started.terminate()
    }
  }, [])
  useEffect(() => {
    const current: PreviewJob | null = JSON.parse(request)
    const started = worker.current
    if (started === null || current === null) return
    const fail = () => {
      setAnswer({ job: current, result: null, reason: 'The browser could not start the preview' })
    }
    started.addEventListener('error', fail)
    started.postMessage(current)
    return () => started.removeEventListener('error', fail)
  }, [request])
  return answer
}

/** Delay before a change is sent to the server, in milliseconds. */
const SETTLE_MS = 400

/** State and result of steps that run on the server. */
interface Upscaled {
  /** `sending`: the request has not been accepted yet. */
  readonly state: 'none' | 'sending' | 'queued' | 'running' | 'made' | 'failed'
  readonly picture: PreviewPicture | null
  readonly reason: string | null
}

const none: Upscaled = { state: 'none', picture: null, reason: null }

/** Runs steps on the server whenever they, the image or `attempt` change, and cancels the previous run. */
function useUpscaled(steps: readonly Step[], image: ImageRecord | null, attempt: number): Upscaled {
  const api = useGallery()
  const [maker] = useState(() => new PreviewMaker(api))
  const asked = JSON.stringify({ steps, imageName: image?.image_name, attempt })
  const [upscaled, setUpscaled] = useState({ ...none, asked: '' })
  useEffect(() => () => void maker.discard(), [maker])
  useEffect(() => {
    const { steps: current }: { steps: readonly Step[] } = JSON.parse(asked)
    if (image === null || current.length === 0) return
    const abort = new AbortController()
    const show = (change: Partial<Upscaled>) => {
      if (!abort.signal.aborted) setUpscaled({ ...none, ...change, asked })
    }
    const make = async () => {
      try {
        const onState = (state: Upscaled['state']) => show({ state })
        const picture = await maker.make(current, image, { signal: abort.signal, onState })
        if (picture !== null) show({ state: 'made', picture })
      } catch (error) {
        show({ state: 'failed', reason: chainReasonOf(error, current) })
      }
    }
    const timer = setTimeout(() => void make(), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asked, image, maker])
  if (steps.length === 0 || image === null) return none
  return upscaled.asked === asked ? upscaled : { ...none, state: 'sending' }
}
