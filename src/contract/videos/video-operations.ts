import Type from 'typebox'
import { ImageCategory, ImageOrigin } from '#contract/image.ts'
import { downloadQuery, thumbnailQuery, viewQuery } from '#contract/image-operations.ts'
import { DEFAULT_PAGE_LIMIT, STRIP_FRAMES } from '#contract/limits.ts'
import { ImageWorkflow } from '#contract/metadata.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'
import { imageFileRefusals, uploadQuery } from '#contract/uploads/upload-operations.ts'
import {
  AddedVideosResult,
  DeleteVideosResult,
  PlayableProgress,
  RemovedVideosResult,
  StarredVideosResult,
  UnstarredVideosResult,
  VideoChanges,
  VideoNamesResult,
  VideoPoster,
  VideoRecord,
  VideosPage,
  VideoUrls,
} from './video.ts'
import { videoPaths } from './video-urls.ts'

const videoParams = Type.Object({ video_name: Type.String() })

const define = operationsOf({ tag: 'videos' })
const defineForVideo = operationsOf({
  tag: 'videos',
  params: videoParams,
  refusals: ['video_not_found'],
})
const defineForNames = operationsOf({
  tag: 'videos',
  body: Type.Object({
    video_names: Type.Array(Type.String(), { description: 'Names exactly as listed' }),
  }),
  refusals: ['too_many_names'],
  limit: 'batch',
})

// Without destructuring, bundlers can drop it from programs that do not use it.
const videoQuery = {
  video_origin: Type.Optional(ImageOrigin),
  categories: viewQuery.categories,
  is_intermediate: viewQuery.is_intermediate,
  board_id: viewQuery.board_id,
  order_dir: viewQuery.order_dir,
  starred_first: viewQuery.starred_first,
  search_term: viewQuery.search_term,
}

export const uploadVideo = define('POST', '/api/v1/videos/upload', {
  operationId: 'upload_video',
  summary: 'Uploads a video. The response means that the video survives a power cut',
  query: Type.Object({
    video_category: ImageCategory,
    is_intermediate: Type.Boolean(),
    ...uploadQuery,
  }),
  parts: Type.Object({
    file: Type.String({ format: 'binary' }),
    metadata: Type.Optional(Type.String({ description: 'JSON object, stored in the record' })),
  }),
  answers: { 201: VideoRecord },
  refusals: [
    'board_not_found',
    'not_a_video',
    'damaged_video',
    'unsupported_video',
    'too_many_pixels',
    'empty_file',
    'file_too_large',
    'invalid_video_metadata',
    'invalid_multipart',
    'disk_full',
    'busy',
  ],
})

export const listVideos = define('GET', '/api/v1/videos/', {
  operationId: 'list_video_dtos',
  summary: 'Returns a page of videos by position',
  query: Type.Object({
    ...videoQuery,
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        default: DEFAULT_PAGE_LIMIT,
        description: '0 returns only the count, -1 all videos',
      }),
    ),
  }),
  answers: { 200: VideosPage },
})

export const listVideoNames = define('GET', '/api/v1/videos/names', {
  operationId: 'get_video_names',
  summary: 'Lists all names of a view',
  query: Type.Object(videoQuery),
  answers: { 200: VideoNamesResult },
})

export const getVideo = defineForVideo('GET', '/api/v1/videos/i/{video_name}', {
  operationId: 'get_video_dto',
  summary: 'Returns the record of a video',
  answers: { 200: VideoRecord },
})

export const getVideoMetadata = defineForVideo('GET', '/api/v1/videos/i/{video_name}/metadata', {
  operationId: 'get_video_metadata',
  summary: 'Returns the metadata object of the upload, or null',
  answers: { 200: Nullable(Type.Record(Type.String(), Type.Unknown())) },
})

export const getVideoWorkflow = defineForVideo('GET', '/api/v1/videos/i/{video_name}/workflow', {
  operationId: 'get_video_workflow',
  summary: 'Returns the workflow and graph as text',
  answers: { 200: ImageWorkflow },
})

export const getVideoUrls = define('GET', '/api/v1/videos/i/{video_name}/urls', {
  operationId: 'get_video_urls',
  summary: 'Returns the addresses of a video, even if it does not exist',
  params: videoParams,
  answers: { 200: VideoUrls },
})

const bytes = Type.String({ format: 'binary' })

export const getFullVideo = defineForVideo('GET', videoPaths.full, {
  operationId: 'get_video_full',
  summary: 'Returns the uploaded bytes, or a range of them',
  query: downloadQuery,
  extensionFields: ['download'],
  answers: { 200: bytes },
  mediaType: 'video/*',
  refusals: ['video_not_found', 'original_damaged', 'range_not_satisfiable'],
  limit: 'exempt',
})

export const getVideoThumbnail = defineForVideo('GET', videoPaths.thumbnail, {
  operationId: 'get_video_thumbnail',
  summary: 'Returns a frame as reduced WebP',
  query: Type.Object({
    ...thumbnailQuery.properties,
    poster: Type.Optional(
      Type.String({
        description: 'As in `thumbnail_url`. It may then be cached for good, until the URL changes',
      }),
    ),
  }),
  extensionFields: ['size', 'poster'],
  answers: { 200: bytes },
  mediaType: 'image/webp',
  refusals: ['video_not_found', 'range_not_satisfiable', 'disk_full'],
  limit: 'exempt',
})

export const setVideoPoster = defineForVideo('PUT', videoPaths.poster, {
  operationId: 'set_video_poster',
  summary: 'Makes another frame the poster of a video, or the one that the server chooses',
  body: VideoPoster,
  strictBody: true,
  answers: { 200: VideoRecord },
  refusals: [
    'video_not_found',
    'original_damaged',
    'cannot_draw_poster',
    ...imageFileRefusals,
    'disk_full',
  ],
  extension: true,
})

export const getVideoStrip = defineForVideo('GET', videoPaths.strip, {
  operationId: 'get_video_strip',
  summary: `Returns ${STRIP_FRAMES} frames of a video in a row, each for an equal part of its duration`,
  answers: { 200: bytes },
  mediaType: 'image/webp',
  refusals: ['video_not_found', 'no_strip', 'range_not_satisfiable', 'disk_full'],
  limit: 'exempt',
  extension: true,
})

export const makePlayableCopy = defineForVideo('POST', videoPaths.playable, {
  operationId: 'make_playable_copy',
  summary:
    'Makes a copy that every browser can play (MP4 with H.264) and returns JSON lines (`PlayableProgress`). Closing the connection stops it, unless another client waits for the same copy',
  answers: { 200: PlayableProgress },
  mediaType: 'application/x-ndjson',
  refusals: ['video_not_found', 'original_damaged', 'cannot_convert'],
  changesNoRecord: true,
  extension: true,
})

export const getPlayableCopy = defineForVideo('GET', videoPaths.playable, {
  operationId: 'get_playable_copy',
  summary: 'Returns the playable copy of a video, or a range of it',
  answers: { 200: bytes },
  mediaType: 'video/mp4',
  refusals: ['video_not_found', 'no_playable_copy', 'range_not_satisfiable'],
  limit: 'exempt',
  extension: true,
})

export const updateVideo = defineForVideo('PATCH', '/api/v1/videos/i/{video_name}', {
  operationId: 'update_video',
  summary: 'Changes the given fields of a video',
  body: VideoChanges,
  strictBody: true,
  answers: { 200: VideoRecord },
  refusals: ['video_update_failed'],
})

export const starVideos = defineForNames('POST', '/api/v1/videos/star', {
  operationId: 'star_videos_in_list',
  summary: 'Stars the named videos. Unknown names are ignored',
  answers: { 200: StarredVideosResult },
})

export const unstarVideos = defineForNames('POST', '/api/v1/videos/unstar', {
  operationId: 'unstar_videos_in_list',
  summary: 'Removes the star from the named videos. Unknown names are ignored',
  answers: { 200: UnstarredVideosResult },
})

export const deleteVideo = defineForVideo('DELETE', '/api/v1/videos/i/{video_name}', {
  operationId: 'delete_video',
  summary: 'Deletes one video permanently',
  answers: { 200: DeleteVideosResult },
})

export const deleteVideos = defineForNames('POST', '/api/v1/videos/delete', {
  operationId: 'delete_videos_from_list',
  summary: 'Deletes the named videos permanently. Unknown names are ignored',
  answers: { 200: DeleteVideosResult },
})

export const deleteUncategorizedVideos = define('DELETE', '/api/v1/videos/uncategorized', {
  operationId: 'delete_uncategorized_videos',
  summary: 'Deletes all uncategorized videos permanently, including intermediate ones',
  answers: { 200: DeleteVideosResult },
  limit: 'batch',
})

export const addVideoToBoard = define('POST', '/api/v1/videos/board', {
  operationId: 'add_video_to_board',
  summary: 'Moves a video to a board',
  body: Type.Object({ board_id: Type.String(), video_name: Type.String() }),
  answers: { 200: AddedVideosResult },
  refusals: ['board_not_found', 'video_not_added'],
})

export const removeVideoFromBoard = define('DELETE', '/api/v1/videos/board', {
  operationId: 'remove_video_from_board',
  summary: 'Removes a video from its board. It becomes uncategorized',
  body: Type.Object({ video_name: Type.String() }),
  answers: { 200: RemovedVideosResult },
  refusals: ['video_not_found'],
})
