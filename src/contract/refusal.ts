import { listImageFormats } from './image-formats.ts'

/**
 * All refusals of the API: the status and a message, which is InvokeAI's message if InvokeAI has the refusal.
 *
 * `detail` is for users. If the server knows more (which file, which limit), it replaces `detail` and sends the
 * same code. The code is in the header `X-Refusal-Code`, because InvokeAI's two forms of error bodies have no
 * field for it.
 */
export const refusals = {
  not_found: { status: 404, detail: 'Not Found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  bad_request: { status: 400, detail: 'The request is not valid HTTP.' },
  request_timeout: { status: 408, detail: 'The request took too long to arrive.' },
  headers_too_large: { status: 431, detail: 'The headers of the request are too large.' },
  invalid_request: { status: 422, detail: 'The request does not fit the interface description.' },
  board_not_found: { status: 404, detail: 'Board not found' },
  image_not_found: { status: 404, detail: 'Not Found' },
  video_not_found: { status: 404, detail: 'Not Found' },
  video_update_failed: { status: 400, detail: 'Failed to update video' },
  video_not_added: { status: 500, detail: 'Failed to add video to board' },
  image_update_failed: { status: 400, detail: 'Failed to update image' },
  cover_image_not_found: { status: 404, detail: 'Failed to update board: no such cover image.' },
  invalid_position: {
    status: 422,
    detail: 'Failed to update board: the position is not a key of fractional-indexing.',
  },
  neither_all_nor_page: {
    status: 400,
    detail: "Invalid request: Must provide either 'all' or both 'offset' and 'limit'",
  },
  unknown_time_zone: { status: 400, detail: 'There is no time zone of this name.' },
  nothing_to_download: { status: 400, detail: 'No images or board id specified.' },
  metadata_left: {
    status: 409,
    detail: 'The metadata of this file cannot be removed.',
  },
  model_not_found: { status: 404, detail: 'model not found' },
  model_format_not_supported: {
    status: 415,
    detail: 'This server loads ONNX models only. An InvokeAI server can load this one.',
  },
  model_runtime_missing: {
    status: 501,
    detail:
      'ONNX Runtime is not installed. Run `npm i onnxruntime-node` in the folder of Tessera and restart it.',
  },
  model_load_failed: { status: 409, detail: 'The model cannot be loaded.' },
  state_unknown: {
    status: 410,
    detail: 'The changes since this state are no longer known. Read the library again.',
  },
  workflow_not_found: { status: 404, detail: 'Workflow not found' },
  search_not_found: { status: 404, detail: 'There is no such search.' },
  search_exists: { status: 409, detail: 'A saved search has this id.' },
  too_many_searches: {
    status: 409,
    detail: 'At most 500 searches can be saved. Delete one first.',
  },
  invalid_search: { status: 422, detail: 'The search cannot be saved.' },
  invalid_duplicates: { status: 422, detail: 'The groups of duplicates are not valid.' },
  invalid_tag: {
    status: 422,
    detail: 'A tag has 1 to 100 characters, and each of its levels has a name.',
  },
  tag_not_found: { status: 404, detail: 'There is no such tag.' },
  too_many_tags: { status: 409, detail: 'A library has at most 100,000 tags.' },
  tag_change_not_found: {
    status: 404,
    detail: 'This change of tags cannot be undone any more.',
  },
  queue_item_not_found: { status: 404, detail: 'Queue item not found' },
  range_not_satisfiable: { status: 416, detail: 'The requested range is outside the file.' },
  archive_not_found: { status: 404, detail: 'Not Found' },
  too_many_names: { status: 413, detail: 'At most 50,000 names fit in one request.' },
  not_an_image: { status: 415, detail: 'Not an image' },
  unreadable_image: {
    status: 415,
    detail: 'Failed to read image: the file is not an image that can be opened.',
  },
  unsupported_format: {
    status: 415,
    detail: `Failed to read image: only ${listImageFormats()} are supported.`,
  },
  too_many_pixels: {
    status: 415,
    detail: 'Failed to read image: it has more pixels than this server accepts.',
  },
  too_many_pages: {
    status: 415,
    detail: 'Failed to read image: it has more pages than this server accepts.',
  },
  damaged_image: { status: 415, detail: 'Failed to read image: the file is damaged or cut off.' },
  not_a_video: { status: 415, detail: 'Not a supported video file' },
  damaged_video: {
    status: 415,
    detail: 'Failed to read video: the file is damaged or cut off.',
  },
  unsupported_video: {
    status: 415,
    detail: 'Failed to read video: only H.264, HEVC, AV1, VP8, VP9 and ProRes are supported.',
  },
  no_playable_copy: { status: 404, detail: 'There is no playable copy of this video.' },
  cannot_convert: { status: 501, detail: 'This server cannot convert videos.' },
  conversion_failed: { status: 500, detail: 'This video could not be converted.' },
  cannot_draw_poster: { status: 501, detail: 'This server cannot decode this video.' },
  no_strip: { status: 404, detail: 'This server cannot decode this video.' },
  invalid_video_metadata: { status: 422, detail: 'Metadata must be a JSON object' },
  empty_file: { status: 415, detail: 'The file is empty.' },
  file_too_large: { status: 413, detail: 'The file is larger than this server accepts.' },
  too_many_files: { status: 413, detail: 'A batch can have at most 500 files.' },
  body_too_large: { status: 413, detail: 'The request body is too large.' },
  invalid_multipart: { status: 400, detail: 'The upload is not readable as multipart/form-data.' },
  invalid_resize: { status: 400, detail: 'Invalid resize_to format or size' },
  crop_failed: { status: 500, detail: 'Failed to crop image' },
  resize_failed: { status: 500, detail: 'Failed to resize image' },
  already_here: { status: 409, detail: 'Already here.' },
  upload_cut_off: { status: 400, detail: 'The upload ended before the file was complete.' },
  rate_limited: { status: 429, detail: 'Rate limit exceeded' },
  upgrade_required: { status: 426, detail: 'This address accepts WebSocket connections only.' },
  unauthorized: { status: 401, detail: 'Authentication required' },
  host_not_allowed: {
    status: 403,
    detail: 'The server does not accept this host name.',
  },
  origin_not_allowed: { status: 403, detail: 'Requests from other sites are refused.' },
  not_on_this_machine: {
    status: 403,
    detail: 'Folders can be imported only from a browser on the machine that runs the server.',
  },
  folder_not_found: { status: 404, detail: 'There is no such folder on this machine.' },
  folder_unreadable: { status: 403, detail: 'The server has no permission to read this folder.' },
  folder_is_library: {
    status: 409,
    detail: 'This is the data folder of Tessera. Choose another folder.',
  },
  import_under_way: { status: 409, detail: 'This folder is already being imported.' },
  invalid_import: { status: 422, detail: 'If `boards` is `one`, `board_name` is required.' },
  unreadable_file: { status: 403, detail: 'The file cannot be read.' },
  file_changed: { status: 409, detail: 'The file changed while it was read.' },
  import_not_found: { status: 404, detail: 'There is no such import.' },
  login_failed: { status: 401, detail: 'Incorrect email or password' },
  forbidden: { status: 403, detail: 'This account is not allowed to do that.' },
  login_required: { status: 401, detail: 'InvokeAI requires sign-in.' },
  upstream_down: { status: 502, detail: 'InvokeAI does not answer.' },
  upstream_answer_refused: {
    status: 502,
    detail: 'InvokeAI sent a response that Tessera doesn’t forward.',
  },
  upstream_busy: { status: 503, detail: 'InvokeAI is busy. Try again in a moment.' },
  upstream_timeout: { status: 504, detail: 'InvokeAI took too long to answer.' },
  not_implemented: { status: 501, detail: 'Not implemented' },
  disk_full: {
    status: 507,
    detail: 'The disk that holds the library is full. Free some space and try again.',
  },
  uploads_full: {
    status: 507,
    detail: 'Too many uploads are unfinished. Finish or discard some first.',
  },
  disk_error: {
    status: 503,
    detail:
      'The disk of the library reported an error. This change may or may not have been made; everything confirmed earlier is safe.',
  },
  original_damaged: {
    status: 500,
    detail:
      'The original is damaged: the file on the disk is no longer the one that was stored. Bring it back from a backup.',
  },
  upload_id_taken: {
    status: 409,
    detail: 'Another file was uploaded with this upload_id. Choose another one.',
  },
  upload_not_found: { status: 404, detail: 'There is no such unfinished upload.' },
  upload_in_use: { status: 423, detail: 'Another request still sends this upload.' },
  wrong_offset: { status: 409, detail: 'The upload does not go on at this byte.' },
  invalid_tus_request: { status: 400, detail: 'Not a valid tus request.' },
  tus_version: { status: 412, detail: 'Only tus 1.0.0 is supported.' },
  library_read_only: { status: 503, detail: 'The library is read-only.' },
  library_damaged: {
    status: 503,
    detail: 'The database of the library is damaged. Stop Tessera and run `tessera doctor`.',
  },
  library_away: {
    status: 503,
    detail:
      'The data folder of the library is not there. Connect its drive or put the folder back: the server continues by itself.',
  },
  database_down: { status: 503, detail: 'The database does not answer. Try again in a moment.' },
  redis_down: { status: 503, detail: 'Redis does not answer. Try again in a moment.' },
  busy: { status: 503, detail: 'The server is busy. Try again in a moment.' },
  stopping: { status: 503, detail: 'The server is stopping.' },
} as const satisfies Record<string, { status: number; detail: string }>

/** Code of a refusal. Clients branch on it, never on the message. */
export type RefusalCode = keyof typeof refusals

/** Header with the code of a refusal (extension). */
export const REFUSAL_CODE_HEADER = 'x-refusal-code'
