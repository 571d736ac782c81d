import type { ImageRecord } from '#contract/image.ts'

type Clip = Pick<ImageRecord, 'media_type' | 'video'>

/** Names of codecs as people know them, and an example of each for `canPlayType`. */
const codecs: Readonly<Record<string, { name: string; example: string }>> = {
  h264: { name: 'H.264', example: 'video/mp4; codecs="avc1.42E01E"' },
  hevc: { name: 'HEVC', example: 'video/mp4; codecs="hvc1.1.6.L93.B0"' },
  av1: { name: 'AV1', example: 'video/mp4; codecs="av01.0.04M.08"' },
  vp8: { name: 'VP8', example: 'video/webm; codecs="vp8"' },
  vp9: { name: 'VP9', example: 'video/webm; codecs="vp9"' },
  prores: { name: 'ProRes', example: 'video/quicktime; codecs="apcn"' },
}

/** Returns the name of a codec: `H.264`. */
export const codecName = (codec: string): string => codecs[codec]?.name ?? codec.toUpperCase()

/** The time in which the server answers, in milliseconds. */
const ANSWER_MS = 8_000

/** Why a video does not play. `unplayable`: the browser lacks its codec. `gone`: the server does not have the file. */
export type VideoFailure = 'unplayable' | 'damaged' | 'gone' | 'unreachable'

/**
 * Finds out why a video does not play. Browsers report the same error for an unknown codec, a damaged file and an answer
 * without a file.
 *
 * @param hasPicture - False if the browser plays only the sound.
 */
export async function failureOf(
  { video }: Clip,
  url: string,
  hasPicture: boolean,
): Promise<VideoFailure> {
  const example = codecs[video?.codec ?? '']?.example
  const isKnown =
    example === undefined || document.createElement('video').canPlayType(example) !== ''
  if (!hasPicture || !isKnown) return 'unplayable'
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
