import { useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { PreviewMaker, type PreviewPicture } from '#gallery/api/process-preview.ts'
import { chainReasonOf } from '#gallery/api/process-reason.ts'
import type { Step } from '#gallery/api/process-steps.ts'

/** A person who types or drags a slider is not done before so long, in milliseconds. */
const SETTLE_MS = 400

/** What is shown of what a chain makes. */
export interface Preview {
  /** `waiting`: for the person to be done, or for its turn. */
  readonly state: 'none' | 'waiting' | 'making' | 'made' | 'failed'
  /** The last one that was made of this image, also while the next is being made. */
  readonly picture: PreviewPicture | null
  /** Why it failed. */
  readonly reason: string | null
  readonly tryAgain: () => void
}

const none: Omit<Preview, 'tryAgain'> = { state: 'none', picture: null, reason: null }

/** Made again whenever the chain or the image changes; what is not done by then is stopped. */
export function usePreview(steps: readonly Step[] | null, image: ImageRecord | null): Preview {
  const [maker] = useState(() => new PreviewMaker())
  const [preview, setPreview] = useState({ ...none, imageName: '' })
  const [attempt, setAttempt] = useState(0)
  const asked = JSON.stringify({ steps, attempt })
  useEffect(() => () => void maker.discard(), [maker])
  useEffect(() => {
    const { steps: current }: { steps: readonly Step[] | null } = JSON.parse(asked)
    const imageName = image?.image_name ?? ''
    if (image === null || current === null || current.length === 0) {
      setPreview({ ...none, imageName })
      return
    }
    const abort = new AbortController()
    const show = (change: Partial<Preview>) => {
      if (abort.signal.aborted) return
      setPreview((before) => {
        const { picture } = before.imageName === imageName ? before : none
        return { state: 'waiting', reason: null, picture, ...change, imageName }
      })
    }
    const make = async () => {
      try {
        const onStarted = () => show({ state: 'making' })
        const picture = await maker.make(current, image, { signal: abort.signal, onStarted })
        if (picture !== null) show({ state: 'made', picture })
      } catch (error) {
        show({ state: 'failed', picture: null, reason: chainReasonOf(error, current) })
      }
    }
    show({})
    const timer = setTimeout(() => void make(), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asked, image, maker])
  return { ...preview, tryAgain: () => setAttempt(attempt + 1) }
}
