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

/** After a frame with this contrast, which its successor hardly exceeds, no other is decoded: it is in no fade. */
const CLEAR_CONTRAST = 24

/** A frame may have this share of the best contrast: the contrast of a fade is lower. */
const GOOD_SHARE = 0.7

/** Rows, and pixels of each row, whose contrast is measured. Reducing the whole frame takes 20 times as long. */
const MEASURED_PX = 128

/** Larger frames would take more memory than one file may use. */
const MAX_FRAME_PIXELS = 36_000_000

/** Larger frames are reduced before their colors are converted, which takes four bytes for a pixel. */
const MAX_COPIED_PIXELS = 9_000_000

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
export const IN_SOFTWARE = { hardwareAcceleration: 'prefer-software' } as const

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
  if (!(await canDecode(track))) return null
  const wanted = PLACES.map((place) => (place * durationMs) / 1000)
  const keys = await bestOf(track, await keyTimes(track, wanted))
  if (keys !== null && keys.contrast >= MIN_CONTRAST) return keys.picture
  const others = await bestOf(track, wanted)
  return (others ?? keys)?.picture ?? null
}

/** Returns the frame that a player shows at a time in seconds, upright. null: nothing on this platform decodes the video. */
export const frameAt = async (track: InputVideoTrack, time: number): Promise<Sharp | null> => {
  if (!(await canDecode(track))) return null
  const sink = new VideoSampleSink(track, IN_SOFTWARE)
  // A player shows the first frame until its time has come.
  const sample =
    (await sink.getSample(time)) ?? (await sink.getSample(await track.getFirstTimestamp()))
  return sample === null ? null : (await frameOf(sample)).picture
}

export const canDecode = async (track: InputVideoTrack): Promise<boolean> => {
  const pixels = (await track.getCodedWidth()) * (await track.getCodedHeight())
  return pixels <= MAX_FRAME_PIXELS && (await loadCodecs()) && track.canDecode()
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
    else if (best.contrast >= CLEAR_CONTRAST) break
  }
  return best
}

export const frameOf = async (sample: VideoSample): Promise<Frame> => {
  try {
    const pixels = sample.codedWidth * sample.codedHeight
    const scale = Math.sqrt(MAX_COPIED_PIXELS / pixels)
    const width = Math.floor(sample.displayWidth * scale)
    const upright = await sample.transform(scale < 1 ? { width } : {})
    try {
      const { codedWidth: width, codedHeight: height } = upright
      const rgba = Buffer.alloc(upright.allocationSize(AS_RGBA))
      await upright.copyTo(rgba, AS_RGBA)
      const picture = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()
      return { picture, contrast: contrastOf(rgba, width, height) }
    } finally {
      upright.close()
    }
  } finally {
    sample.close()
  }
}

/** Returns the standard deviation of the brightness of pixels that are spread evenly over the frame. */
const contrastOf = (rgba: Uint8Array, width: number, height: number): number => {
  const stepX = Math.max(1, width / MEASURED_PX)
  const stepY = Math.max(1, height / MEASURED_PX)
  let [count, sum, squares] = [0, 0, 0]
  for (let y = stepY / 2; y < height; y += stepY) {
    for (let x = stepX / 2; x < width; x += stepX) {
      const at = 4 * (Math.floor(y) * width + Math.floor(x))
      const [red = 0, green = 0, blue = 0] = [rgba[at], rgba[at + 1], rgba[at + 2]]
      const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      count += 1
      sum += brightness
      squares += brightness ** 2
    }
  }
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean ** 2))
}
