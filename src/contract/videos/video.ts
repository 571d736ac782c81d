import Type, { type Static } from 'typebox'
import {
  affectedBoards,
  ImageCategory,
  ImageOrigin,
  itemExtensions,
  itemFields,
} from '#contract/image.ts'
import { MAX_POSTER_BYTES } from '#contract/limits.ts'
import { Nullable, pageOf } from '#contract/schema.ts'
import { VideoDetails, VideoMediaType } from './video-details.ts'

/** The longest video, in milliseconds: the largest value of a column. */
export const MAX_POSTER_MS = 2 ** 31 - 1

/** A video. The fields of {@link noVideoExtensions} are extensions. */
export const VideoRecord = Type.Object({
  video_name: Type.String({ description: 'Use it exactly as returned' }),
  video_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  thumbnail_url: Type.String({ description: 'Relative to the server, without a leading slash' }),
  video_origin: ImageOrigin,
  video_category: ImageCategory,
  width: Type.Integer({ description: 'In pixels, as a player shows it' }),
  height: Type.Integer({ description: 'In pixels, as a player shows it' }),
  duration: VideoDetails.properties.duration,
  fps: VideoDetails.properties.fps,
  ...itemFields,
  video_subfolder: Type.String(),
  ...itemExtensions,
  media_type: Nullable(VideoMediaType),
  thumbhash: Nullable(
    Type.String({ description: 'Placeholder (ThumbHash) in base64. null without a poster' }),
  ),
  codec: VideoDetails.properties.codec,
  has_sound: VideoDetails.properties.has_sound,
  poster_ms: VideoDetails.properties.poster_ms,
})
export type VideoRecord = Static<typeof VideoRecord>

/** The extension fields of a video whose server does not send them, such as an InvokeAI. */
export const noVideoExtensions = {
  file_name: null,
  file_size: null,
  media_type: null,
  content_hash: null,
  rating: 0,
  tags: [] as string[],
  thumbhash: null,
  codec: null,
  has_sound: null,
  poster_ms: null,
} satisfies Partial<VideoRecord>

/** URLs of a video. */
export const VideoUrls = Type.Object({
  video_name: Type.String(),
  video_url: Type.String(),
  thumbnail_url: Type.String(),
})
export type VideoUrls = Static<typeof VideoUrls>

/** A page of videos. `total` counts all matching videos. */
export const VideosPage = pageOf(VideoRecord)
export type VideosPage = Static<typeof VideosPage>

/** All video names of a view. `starred_count` is 0 unless starred videos come first. */
export const VideoNamesResult = Type.Object({
  video_names: Type.Array(Type.String()),
  starred_count: Type.Integer(),
  total_count: Type.Integer(),
})
export type VideoNamesResult = Static<typeof VideoNamesResult>

/** Changes to a video. Null leaves a property unchanged. */
export const VideoChanges = Type.Object({
  video_category: Type.Optional(Nullable(ImageCategory)),
  session_id: Type.Optional(Nullable(Type.String())),
  is_intermediate: Type.Optional(Nullable(Type.Boolean())),
  starred: Type.Optional(Nullable(Type.Boolean())),
})
export type VideoChanges = Static<typeof VideoChanges>

/** The poster of a video (extension). */
export const VideoPoster = Type.Object({
  time_ms: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POSTER_MS,
        description:
          'Time of the frame. null: the server chooses one. Absent: `picture` is stored only if the video has no poster',
      }),
    ),
  ),
  picture: Type.Optional(
    Type.String({
      contentEncoding: 'base64',
      description: `The frame as an image of at most ${MAX_POSTER_BYTES / 1024 ** 2} MB, for a server that cannot decode the video`,
    }),
  ),
})
export type VideoPoster = Static<typeof VideoPoster>

const names = Type.Array(Type.String())
const failed_videos = Type.Array(Type.String(), {
  description: 'Videos that could not be changed. Unknown names are omitted',
})

/** Result of deleting videos. */
export const DeleteVideosResult = Type.Object({
  affected_boards: affectedBoards,
  deleted_videos: names,
  failed_videos,
})
export type DeleteVideosResult = Static<typeof DeleteVideosResult>

/** A line of the answer while a playable copy is made (extension). The last one has `done` or `refusal`. */
export const PlayableProgress = Type.Object({
  progress: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: '0 while it waits for another video' }),
  ),
  done: Type.Optional(Type.Boolean({ description: 'The copy can be played' })),
  refusal: Type.Optional(
    Type.Object({ code: Type.String(), status: Type.Integer(), detail: Type.String() }),
  ),
})
export type PlayableProgress = Static<typeof PlayableProgress>

/** Result of starring videos. */
export const StarredVideosResult = Type.Object({
  affected_boards: affectedBoards,
  starred_videos: names,
  failed_videos,
})
export type StarredVideosResult = Static<typeof StarredVideosResult>

/** Result of removing the star from videos. */
export const UnstarredVideosResult = Type.Object({
  affected_boards: affectedBoards,
  unstarred_videos: names,
  failed_videos,
})
export type UnstarredVideosResult = Static<typeof UnstarredVideosResult>

export const AddedVideosResult = Type.Object({
  affected_boards: affectedBoards,
  added_videos: names,
})
export type AddedVideosResult = Static<typeof AddedVideosResult>

export const RemovedVideosResult = Type.Object({
  affected_boards: affectedBoards,
  removed_videos: names,
})
export type RemovedVideosResult = Static<typeof RemovedVideosResult>
