import { EncodedPacketSink, type InputVideoTrack, VideoSampleSink } from 'mediabunny'
import sharp from 'sharp'
import { STRIP_FRAME_PX, STRIP_FRAMES } from '#contract/limits.ts'
import { canDecode, frameOf, IN_SOFTWARE } from './video-poster.ts'

/** Time for decoding, in milliseconds. Frames that are not decoded then are replaced by their neighbors. */
const DECODE_MS = 4_000

interface StripFrame {
  timeS: number
  pixels: Buffer
}

/**
 * Returns frames of a video in a row (WebP). Frames that need no other frame are decoded at once, so one of them is taken
 * if there is one in the same part of the duration, or at most a part earlier.
 *
 * @returns null: nothing on this platform decodes the video.
 */
export const stripOf = async (
  track: InputVideoTrack,
  video: { width: number; height: number; duration_ms: number },
): Promise<Uint8Array | null> => {
  if (!(await canDecode(track))) return null
  const scale = Math.min(1, STRIP_FRAME_PX / Math.max(video.width, video.height))
  const width = Math.max(1, Math.round(video.width * scale))
  const height = Math.max(1, Math.round(video.height * scale))
  const partS = video.duration_ms / 1000 / STRIP_FRAMES
  const middles = Array.from({ length: STRIP_FRAMES }, (_, at) => (at + 0.5) * partS)
  const frames = await decode(track, await cheapTimes(track, middles, partS), { width, height })
  if (frames.length === 0) return null
  return sharp({
    create: { width: width * STRIP_FRAMES, height, channels: 3, background: 'black' },
  })
    .composite(
      middles.map((middle, at) => ({
        input: shownAt(frames, middle).pixels,
        raw: { width, height, channels: 3 as const },
        ...{ left: at * width, top: 0 },
      })),
    )
    .webp({ quality: 70, effort: 2 })
    .toBuffer()
}

/** Returns the times of the frames to decode. A frame is decoded once, because its two samples would be the same object. */
const cheapTimes = async (
  track: InputVideoTrack,
  middles: readonly number[],
  partS: number,
): Promise<number[]> => {
  const packets = new EncodedPacketSink(track)
  const times = new Set<number>()
  let areKeys = true
  for (const middle of middles) {
    const key = await packets.getKeyPacket(middle)
    const isNear = key !== null && middle - key.timestamp <= partS
    const packet = isNear ? key : await packets.getPacket(middle)
    areKeys &&= isNear
    if (packet !== null) times.add(packet.timestamp)
  }
  const sorted = [...times].sort((one, other) => one - other)
  return areKeys ? evenly(sorted) : sorted
}

/** Orders times so that the first ones are of all parts, in case the time is not enough for all. */
const evenly = (times: readonly number[]): number[] =>
  [0, 1, 2, 3].flatMap((first) => times.filter((_, at) => at % 4 === first))

const decode = async (
  track: InputVideoTrack,
  times: readonly number[],
  size: { width: number; height: number },
): Promise<StripFrame[]> => {
  const frames: StripFrame[] = []
  const end = performance.now() + DECODE_MS
  for await (const sample of new VideoSampleSink(track, IN_SOFTWARE).samplesAtTimestamps(times)) {
    if (sample !== null) {
      const { timestamp: timeS } = sample
      const { picture } = await frameOf(sample)
      const small = picture.resize(size.width, size.height, { fit: 'fill' }).toColourspace('srgb')
      frames.push({ timeS, pixels: await small.raw().toBuffer() })
    }
    if (performance.now() > end) break
  }
  return frames.sort((one, other) => one.timeS - other.timeS)
}

/** Returns the frame that a player shows at a time, or the first one. */
const shownAt = (frames: readonly StripFrame[], timeS: number): StripFrame =>
  frames.findLast((frame) => frame.timeS <= timeS) ?? (frames[0] as StripFrame)
