import { registerMediabunnyServer } from '@mediabunny/server'
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input, VideoSampleSink } from 'mediabunny'

registerMediabunnyServer({ hardwareContext: () => null })

/** Reads the data of a video that a library stores, and decodes one frame, with mediabunny alone, as a baseline. */
export const withBareMediabunny = async (path: string): Promise<void> => {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(path) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (track === null) throw new Error(`${path} has no pictures.`)
    await Promise.all([track.getDisplayWidth(), track.getDisplayHeight(), track.getCodec()])
    const duration = await track.computeDuration()
    await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)
    await track.computePacketStats(200)
    await input.getMetadataTags()
    await input.getPrimaryAudioTrack()
    const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' })
    const sample = await sink.getSample(duration / 10)
    if (sample === null) throw new Error(`${path} has no frame.`)
    sample.close()
  } finally {
    input.dispose()
  }
}
