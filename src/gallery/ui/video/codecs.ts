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

export const canPlay = (type: string): boolean =>
  document.createElement('video').canPlayType(type) !== ''

/** False if the browser says that it cannot play a codec. */
export const canPlayCodec = (codec: string | null): boolean => {
  const example = codecs[codec ?? '']?.example
  return example === undefined || canPlay(example)
}
