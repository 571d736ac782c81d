import Type, { type Static } from 'typebox'
import { Nullable } from '#contract/schema.ts'
import { videoMediaTypes } from './video-formats.ts'

/** Containers of videos, by the media type of their responses. */
export const VideoMediaType = Type.Enum(videoMediaTypes)
export type VideoMediaType = Static<typeof VideoMediaType>

/** Encodings of the pictures of a video. */
export const VideoCodec = Type.Enum(['h264', 'hevc', 'av1', 'vp8', 'vp9', 'prores'])
export type VideoCodec = Static<typeof VideoCodec>

/** The properties of a video that an image does not have. */
export const VideoDetails = Type.Object({
  duration: Type.Number({ description: 'In seconds' }),
  fps: Nullable(Type.Number({ description: 'Frames per second. null if not known' })),
  codec: Nullable(VideoCodec),
  has_sound: Nullable(Type.Boolean()),
  poster_ms: Nullable(
    Type.Integer({
      description: 'Time of the chosen poster in milliseconds. null: the server chose one',
    }),
  ),
})
export type VideoDetails = Static<typeof VideoDetails>
