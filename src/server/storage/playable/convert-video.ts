import {
  Conversion,
  type ConversionAudioOptions,
  type ConversionVideoOptions,
  EncodedPacketSink,
  FilePathTarget,
  getFirstEncodableAudioCodec,
  type Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
} from 'mediabunny'
import { Refusal } from '#server/core/refusal.ts'
import { loadCodecs } from '#server/processes/video-poster.ts'
import { writeFailure } from '#server/storage/disk/system-errors.ts'
import { withVideo } from '#server/storage/thumbnails/read-video.ts'

/** Longest side of a converted video, in pixels. */
const MAX_SIDE_PX = 1920

const NO_CODECS =
  'This server has no decoder for this video: the package @mediabunny/server is not installed.'

const KEY_FRAME_EVERY_S = 2

/** Profiles of H.264 that browsers play: baseline, main and high. */
const PLAYABLE_H264 = /^avc1\.(?:42|4d|64)/i

/** Samples of the shortest packet of sound. */
const MIN_PACKET_SAMPLES = 480

/** Room for packets that an encoder adds. */
const MORE_PACKETS = 100

/** Packets of a track, at most. */
interface PacketCounts {
  video: number
  audio: number
}

/** Reserves room for the index before the pictures, so that a browser plays the file from its first bytes. */
class IndexFirstOutput extends Output<Mp4OutputFormat, FilePathTarget> {
  readonly #packets: PacketCounts

  constructor(path: string, packets: PacketCounts) {
    super({
      format: new Mp4OutputFormat({ fastStart: 'reserve' }),
      target: new FilePathTarget(path),
    })
    this.#packets = packets
  }

  override addVideoTrack(...[source, about]: Parameters<Output['addVideoTrack']>) {
    return super.addVideoTrack(source, { ...about, maximumPacketCount: this.#packets.video })
  }

  override addAudioTrack(...[source, about]: Parameters<Output['addAudioTrack']>) {
    return super.addAudioTrack(source, { ...about, maximumPacketCount: this.#packets.audio })
  }
}

/**
 * Writes an MP4 with H.264, and AAC if this platform has it. H.264 that browsers play is copied.
 *
 * @throws {Refusal} `cannot_convert`, `conversion_failed`, `disk_full`.
 */
export const convertVideo = async (
  from: string,
  to: string,
  onProgress: (share: number) => void,
): Promise<void> => {
  try {
    await withVideo(from, (input) => convert(input, to, onProgress))
  } catch (cause) {
    const error = writeFailure(cause)
    throw error instanceof Refusal ? error : new Refusal('conversion_failed', undefined, { cause })
  }
}

const convert = async (input: Input, to: string, onProgress: (share: number) => void) => {
  const picture = await input.getPrimaryVideoTrack()
  if (picture === null) throw new Refusal('conversion_failed')
  const sound = await input.getPrimaryAudioTrack()
  // Of a file that was cut off, the library would convert only the beginning.
  const last = await new EncodedPacketSink(picture).getPacket(Number.POSITIVE_INFINITY)
  if (last === null) throw new Refusal('conversion_failed')
  const hasCodecs = await loadCodecs()
  const conversion = await Conversion.init({
    input,
    output: new IndexFirstOutput(to, await countPackets(picture, sound)),
    tracks: 'primary',
    video: await pictureOptions(picture),
    audio: sound === null ? { discard: true } : await soundOptions(sound),
    tags: {},
    showWarnings: false,
  })
  if (!conversion.isValid || !conversion.utilizedTracks.includes(picture))
    throw new Refusal('cannot_convert', hasCodecs ? undefined : NO_CODECS)
  conversion.onProgress = onProgress
  await conversion.execute()
}

const countPackets = async (
  picture: InputVideoTrack,
  sound: InputAudioTrack | null,
): Promise<PacketCounts> => {
  const packetsOf = async (track: InputVideoTrack | InputAudioTrack) =>
    (await track.computePacketStats()).packetCount + MORE_PACKETS
  const video = await packetsOf(picture)
  if (sound === null) return { video, audio: 0 }
  const samples = (await sound.computeDuration()) * (await sound.getSampleRate())
  const encoded = Math.ceil(samples / MIN_PACKET_SAMPLES) + MORE_PACKETS
  return { video, audio: Math.max(await packetsOf(sound), encoded) }
}

const pictureOptions = async (track: InputVideoTrack): Promise<ConversionVideoOptions> => {
  const parameters = (await track.getCodecParameterString()) ?? ''
  if (PLAYABLE_H264.test(parameters)) return { codec: 'avc' }
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height))
  return {
    codec: 'avc',
    quality: new Quality('high'),
    keyFrameInterval: KEY_FRAME_EVERY_S,
    forceTranscode: true,
    hardwareAcceleration: 'prefer-software',
    ...(scale < 1 && { width: even(width * scale), height: even(height * scale), fit: 'fill' }),
  }
}

/** Colors have half of the width and height. */
const even = (px: number): number => Math.max(2, Math.round(px / 2) * 2)

const soundOptions = async (track: InputAudioTrack): Promise<ConversionAudioOptions> => {
  const codec = await track.getCodec()
  if (codec === 'aac' || codec === 'mp3') return { codec }
  const target = await getFirstEncodableAudioCodec(['aac', 'opus'])
  return target === null ? { discard: true } : { codec: target }
}
