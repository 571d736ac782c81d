import { open } from 'node:fs/promises'
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny'
import type { VideoCodec, VideoMediaType } from '#contract/videos/video-details.ts'
import type { VideoFacts } from '#server/core/images/image-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { parseEmbeddedJson } from '#server/storage/metadata/parse-embedded-json.ts'

/** The header of a video. */
export interface VideoHeader extends VideoFacts {
  mediaType: VideoMediaType
  /** Displayed size in pixels, with the rotation and the shape of the pixels applied. */
  width: number
  height: number
  /** Milliseconds since 1970. null: the file has no date. */
  takenAt: number | null
  /** The texts of the file, by name. */
  texts: { keyword: string; text: string }[]
}

/** The library's names of codecs. */
const codecs: Readonly<Record<string, VideoCodec>> = {
  avc: 'h264',
  hevc: 'hevc',
  av1: 'av1',
  vp8: 'vp8',
  vp9: 'vp9',
  prores: 'prores',
}

/** Frames whose times give the frame rate. */
const TIMED_FRAMES = 200

/** Opens a file while `use` runs. Only the parts of the file that are needed are read. */
export const withVideo = async <T>(path: string, use: (input: Input) => Promise<T>): Promise<T> => {
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new FilePathSource(path),
  })
  try {
    return await use(input)
  } finally {
    input.dispose()
  }
}

/**
 * Reads the header of a video, and its last frame, so that a file that was cut off is noticed.
 *
 * @throws {Refusal} `not_a_video`, `unsupported_video`, `damaged_video`.
 */
export const readVideoHeader = async (
  input: Input,
): Promise<{ header: VideoHeader; track: InputVideoTrack }> => {
  try {
    // The library also throws for a file of a few bytes.
    if (!(await input.canRead().catch(() => false))) throw new Refusal('not_a_video')
    const track = await pictureTrackOf(input)
    return { header: await headerOf(input, track), track }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal('damaged_video', undefined, { cause })
  }
}

const pictureTrackOf = async (input: Input): Promise<InputVideoTrack> => {
  const track = await input.getPrimaryVideoTrack()
  if (track !== null) return track
  const tracks = await input.getTracks()
  if (tracks.length === 0) throw new Refusal('damaged_video')
  throw new Refusal('not_a_video', 'Not a supported video file: it has no pictures.')
}

const headerOf = async (input: Input, track: InputVideoTrack): Promise<VideoHeader> => {
  const codec = codecs[(await track.getCodec()) ?? '']
  if (codec === undefined) throw new Refusal('unsupported_video')
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const duration = await track.computeDuration()
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)
  const isWhole = width > 0 && height > 0 && duration > 0 && Number.isFinite(duration)
  if (!isWhole || last === null) throw new Refusal('damaged_video')
  const mediaType = mediaTypeOf(await input.getFormat())
  const { averagePacketRate } = await track.computePacketStats(TIMED_FRAMES)
  const { date, raw = {} } = await input.getMetadataTags()
  return {
    mediaType,
    ...{ width, height, codec },
    duration_ms: Math.max(1, Math.round(duration * 1000)),
    frame_rate: Number.isFinite(averagePacketRate)
      ? Math.round(usualRate(averagePacketRate, mediaType, duration) * 1000)
      : null,
    has_sound: (await input.getPrimaryAudioTrack()) !== null,
    takenAt: date === undefined ? null : dateOrNull(date.getTime()),
    texts: textsOf(raw),
  }
}

/** Returns texts by name. VideoHelperSuite writes the prompt and the workflow of ComfyUI as one JSON comment. */
const textsOf = (tags: Readonly<Record<string, unknown>>): VideoHeader['texts'] =>
  Object.entries(tags).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    const inComment = COMMENTS.has(name.toLowerCase()) ? parseEmbeddedJson(value) : null
    if (inComment === null) return { keyword: name.toLowerCase(), text: value }
    return ['prompt', 'workflow'].flatMap((keyword) => {
      const part = inComment[keyword]
      if (part === undefined) return []
      return { keyword, text: typeof part === 'string' ? part : JSON.stringify(part) }
    })
  })

/** Names of the comment in MP4 and in Matroska. */
const COMMENTS = new Set(['©cmt', 'comment'])

const mediaTypeOf = (format: unknown): VideoMediaType => {
  if (format === MP4) return 'video/mp4'
  if (format === QTFF) return 'video/quicktime'
  return format === WEBM ? 'video/webm' : 'video/x-matroska'
}

/** Matroska rounds the times of frames to milliseconds, so that their rate is slightly wrong. */
const ROUNDING_S = 0.001

/** Returns the near integer, or the near rate of television such as 29.97, or else the rate itself. */
const usualRate = (rate: number, mediaType: VideoMediaType, duration: number): number => {
  const isRounded = mediaType === 'video/webm' || mediaType === 'video/x-matroska'
  const tolerance = isRounded ? ROUNDING_S / Math.min(duration, TIMED_FRAMES / rate) : 1e-5
  const near = [Math.round(rate), (Math.round(rate * 1.001) * 1000) / 1001]
  return near.find((usual) => Math.abs(usual - rate) < rate * tolerance) ?? rate
}

/** Dates outside these years are mistakes. */
const LAST_DATE = Date.UTC(2100, 0, 1)
const dateOrNull = (ms: number): number | null => (ms > 0 && ms < LAST_DATE ? ms : null)

/** Seconds from 1904, where the dates of MP4 and MOV files begin, to 1970. */
const SECONDS_TO_1970 = 2_082_844_800

/** Boxes before the header of the movie. A file has a few. */
const MAX_BOXES = 1_000

/**
 * Returns the date in the header of an MP4 or MOV file (`mvhd`), where phones write it, in milliseconds since 1970. null:
 * none, or a mistake, as from writers that leave it 0.
 */
export const movieDateOf = async (path: string): Promise<number | null> => {
  await using file = await open(path, 'r')
  const { size: end } = await file.stat()
  const head = Buffer.alloc(32)
  let at = 0
  for (let count = 0; count < MAX_BOXES && at + 8 <= end; count += 1) {
    const { bytesRead } = await file.read(head, 0, head.length, at)
    if (bytesRead < 8) return null
    const type = head.toString('latin1', 4, 8)
    const short = head.readUInt32BE(0)
    const headerBytes = short === 1 ? 16 : 8
    if (type === 'mvhd' && bytesRead >= 20) {
      const isLong = head[8] === 1
      const seconds = isLong ? Number(head.readBigUInt64BE(12)) : head.readUInt32BE(12)
      return dateOrNull((seconds - SECONDS_TO_1970) * 1000)
    }
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (type !== 'moov' && size < headerBytes) return null
    // The header of the movie is inside this box.
    at += type === 'moov' ? headerBytes : size
  }
  return null
}
