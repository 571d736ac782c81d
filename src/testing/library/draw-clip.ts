import { registerMediabunnyServer } from '@mediabunny/server'
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny'

registerMediabunnyServer({ hardwareContext: () => null })

const containers = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory', metadataFormat: 'mdta' }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
}

interface Clip {
  container: keyof typeof containers
  codec: 'avc' | 'hevc' | 'av1' | 'vp8' | 'vp9' | 'prores'
  width: number
  height: number
  fps: number
  frames: number
  /** Frames at the beginning that are black. */
  black: number
  rotation: 0 | 90 | 180 | 270
  /** True adds silence as its sound. */
  hasSound: boolean
  /** Texts of the file, by name. */
  texts: Record<string, string>
  /** Bits per second. */
  bitrate: number
  /** Seconds from one frame that needs no other to the next. */
  keyFrameIntervalS: number
  /** Returns a frame as red, green, blue and an unused byte for each pixel. null: white and blue halves. */
  draw: ((frame: number) => Uint8Array) | null
}

const usual: Clip = {
  ...{ container: 'mp4', codec: 'avc', width: 64, height: 48, fps: 10, frames: 10 },
  ...{ black: 0, rotation: 0, hasSound: false, texts: {} },
  ...{ bitrate: 100_000, keyFrameIntervalS: 2, draw: null },
}

/** Encodes a clip. Without `draw`, its left half is white and its right half is blue. */
export const drawClip = async (wanted: Partial<Clip> = {}): Promise<Buffer<ArrayBuffer>> => {
  const clip = { ...usual, ...wanted }
  const target = new BufferTarget()
  const output = new Output({ format: containers[clip.container](), target })
  const source = new VideoSampleSource({
    codec: clip.codec,
    bitrate: clip.bitrate,
    keyFrameInterval: clip.keyFrameIntervalS,
    latencyMode: 'realtime',
  })
  output.addVideoTrack(source, { rotation: clip.rotation, frameRate: clip.fps })
  const sound = new AudioSampleSource({
    codec: clip.container === 'webm' ? 'opus' : 'aac',
    bitrate: 32_000,
  })
  if (clip.hasSound) output.addAudioTrack(sound)
  if (Object.keys(clip.texts).length > 0) output.setMetadataTags({ raw: clip.texts })
  await output.start()
  for (let at = 0; at < clip.frames; at += 1) {
    const { width, height, fps } = clip
    const sample = new VideoSample(clip.draw?.(at) ?? pixelsOf(clip, at < clip.black), {
      ...{ format: 'RGBX', codedWidth: width, codedHeight: height },
      ...{ timestamp: at / fps, duration: 1 / fps },
    })
    await source.add(sample)
    sample.close()
  }
  if (clip.hasSound) {
    const silence = silenceOf(clip)
    await sound.add(silence)
    silence.close()
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('The clip was not written.')
  return Buffer.from(target.buffer)
}

/** A clip whose frames are lost, so that nothing decodes it. It has no poster. */
export const drawClipWithoutFrames = async (): Promise<Buffer<ArrayBuffer>> => {
  const clip = await drawClip()
  return clip.fill(0, clip.indexOf('mdat') + 12)
}

const silenceOf = ({ frames, fps }: Clip): AudioSample => {
  const sampleRate = 48_000
  const data = new Float32Array((sampleRate * frames) / fps)
  return new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate, timestamp: 0 })
}

const pixelsOf = ({ width, height }: Clip, isBlack: boolean): Uint8Array => {
  const pixels = new Uint8Array(width * height * 4)
  for (let at = 0; at < width * height; at += 1) {
    const isWhite = at % width < width / 2
    pixels.set(isBlack ? [0, 0, 0, 255] : [isWhite ? 255 : 0, isWhite ? 255 : 0, 255, 255], at * 4)
  }
  return pixels
}
