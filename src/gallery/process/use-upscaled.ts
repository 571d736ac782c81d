import { useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { PreviewMaker, type PreviewPicture } from '#gallery/api/process-preview.ts'
import { chainReasonOf } from '#gallery/api/process-reason.ts'
import type { Step } from '#gallery/api/process-steps.ts'

/** A change is sent to the server after this pause, in milliseconds. */
const SETTLE_MS = 400

/** An image that the server makes with its models. */
export interface Upscaled {
  /** `sending`: the request has not been accepted yet. */
  readonly state: 'none' | 'sending' | 'queued' | 'running' | 'made' | 'failed'
  readonly picture: PreviewPicture | null
  /** Why it failed. */
  readonly reason: string | null
}

const none: Upscaled = { state: 'none', picture: null, reason: null }

/**
 * Runs steps on the server, again whenever they or the image change, and cancels the run before.
 *
 * @param steps - Empty: nothing is run.
 * @param attempt - Another number tries once more.
 */
export function useUpscaled(
  steps: readonly Step[],
  image: ImageRecord | null,
  attempt: number,
): Upscaled {
  const [maker] = useState(() => new PreviewMaker())
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
