import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import { canPlay, canPlayCodec, codecName } from '#gallery/ui/video/codecs.ts'

type Clip = Pick<ImageRecord, 'media_type' | 'video'>

/** The time in which the server answers, in milliseconds. */
const ANSWER_MS = 8_000

/** Why a video does not play. `unplayable`: the browser lacks its codec or container. `gone`: the server does not have the file. */
export type VideoFailure = 'unplayable' | 'damaged' | 'gone' | 'unreachable'

const knowsCodec = ({ video }: Clip): boolean => canPlayCodec(video?.codec ?? null)

/** Some browsers play MKV and MOV although they do not say so. Ask only after a failure. */
const knowsContainer = ({ media_type }: Clip): boolean => media_type === null || canPlay(media_type)

/** Says what the browser cannot play: a codec, or a kind of file. */
export function unplayableWords(clip: Clip): string {
  const { video, media_type } = clip
  const codec = video?.codec ?? null
  if (!knowsContainer(clip) && knowsCodec(clip) && media_type !== null)
    return `This browser cannot play ${storedExtensionOf(media_type).toUpperCase()} files.`
  return codec === null
    ? 'This browser cannot play this video.'
    : `This browser cannot play ${codecName(codec)} videos.`
}

/**
 * Finds out why a video does not play. Browsers report the same error for an unknown codec, a damaged file and an answer
 * without a file.
 *
 * @param hasPicture - False if the browser plays only the sound.
 */
export async function failureOf(
  clip: Clip,
  url: string,
  hasPicture: boolean,
): Promise<VideoFailure> {
  if (!hasPicture || !knowsCodec(clip) || !knowsContainer(clip)) return 'unplayable'
  try {
    const { ok, status } = await fetch(url, {
      method: 'HEAD',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (ok) return 'damaged'
    return status === 404 ? 'gone' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
