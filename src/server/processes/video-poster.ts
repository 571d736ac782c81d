import {
  EncodedPacketSink,
  type InputVideoTrack,
  type VideoSample,
  VideoSampleSink,
} from 'mediabunny'
import sharp, { type Sharp } from 'sharp'

/** Parts of the duration at which a frame is looked for. The first moments are often black. */
const PLACES = [0.1, 0.35, 0.6, 0.85]

/** A frame with less contrast, as the standard deviation of 8 bits, is almost one color. */
const MIN_CONTRAST = 12

/** A frame may have this share of the best contrast: the contrast of a fade is lower. */
const GOOD_SHARE = 0.7

/** Side of the picture whose contrast is measured. */
const MEASURED_PX = 32

/** Larger frames would take more memory than one file may use. */
const MAX_FRAME_PIXELS = 36_000_000

let codecs: Promise<boolean> | null = null

/** Loads decoders and encoders once, for the first video: that takes most of a second. False: this platform has none. */
export const loadCodecs = (): Promise<boolean> => {
  codecs ??= import('@mediabunny/server').then(
    ({ registerMediabunnyServer }) => {
      registerMediabunnyServer({ hardwareContext: () => null })
      return true
    },
    () => false,
  )
  return codecs
}

/** Looking for other hardware opens devices, and writes to the error output about those that it cannot open. */
const IN_SOFTWARE = { hardwareAcceleration: 'prefer-software' } as const

/** The library's types do not name the format. */
const AS_RGBA: VideoFrameCopyToOptions & { format: 'RGBA' } = { format: 'RGBA' }

interface Frame {
  picture: Sharp
  contrast: number
}

/**
 * Returns a frame, upright: neither black nor white nor in a fade, if the video has such a frame. Frames that need no
 * other frame are tried first, because they are decoded at once.
 *
 * @returns null: nothing on this platform decodes the video.
 */
export const posterOf = async (
  track: InputVideoTrack,
  durationMs: number,
): Promise<Sharp | null> => {
  const pixels = (await track.getCodedWidth()) * (await track.getCodedHeight())
  if (pixels > MAX_FRAME_PIXELS || !(await loadCodecs()) || !(await track.canDecode())) return null
  const wanted = PLACES.map((place) => (place * durationMs) / 1000)
  const keys = await bestOf(track, await keyTimes(track, wanted))
  if (keys !== null && keys.contrast >= MIN_CONTRAST) return keys.picture
  const others = await bestOf(track, wanted)
  return (others ?? keys)?.picture ?? null
}

const keyTimes = async (track: InputVideoTrack, wanted: readonly number[]): Promise<number[]> => {
  const packets = new EncodedPacketSink(track)
  const times = new Set<number>()
  for (const time of wanted) {
    const packet = await packets.getKeyPacket(time)
    if (packet !== null) times.add(packet.timestamp)
  }
  return [...times]
}

/** Returns the first frame whose contrast is good enough among those at some times. */
const bestOf = async (track: InputVideoTrack, times: readonly number[]): Promise<Frame | null> => {
  let best: Frame | null = null
  for await (const sample of new VideoSampleSink(track, IN_SOFTWARE).samplesAtTimestamps(times)) {
    if (sample === null) continue
    const frame = await frameOf(sample)
    if (best === null || best.contrast < GOOD_SHARE * frame.contrast) best = frame
  }
  return best
}

const frameOf = async (sample: VideoSample): Promise<Frame> => {
  try {
    const upright = await sample.transform({})
    try {
      const { codedWidth: width, codedHeight: height } = upright
      const rgba = Buffer.alloc(upright.allocationSize(AS_RGBA))
      await upright.copyTo(rgba, AS_RGBA)
      const picture = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()
      return { picture, contrast: await contrastOf(picture.clone()) }
    } finally {
      upright.close()
    }
  } finally {
    sample.close()
  }
}

const contrastOf = async (picture: Sharp): Promise<number> => {
  const small = await picture
    .resize(MEASURED_PX, MEASURED_PX, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
  const mean = small.reduce((sum, value) => sum + value, 0) / small.length
  const squares = small.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / small.length)
}
