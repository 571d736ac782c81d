/** Requests of a client in any sixty seconds, including batch operations. Set by the specification. */
export const REQUESTS_PER_MINUTE = 100

/** Batch operations of a client in any sixty seconds. They count against both limits. Set by the specification. */
export const BATCH_REQUESTS_PER_MINUTE = 10

/** Polling requests (health, imports, queue items) in any sixty seconds. They count against no other limit. */
export const POLLS_PER_MINUTE = 600

/** Maximum length of a search in UTF-16 units. */
export const MAX_QUERY_LENGTH = 4_000

/** Browsers with their own quota per address. Further ones share the quota of the address. */
export const MAX_PAGE_CLIENTS = 16

/** Maximum number of different wrong tokens per address in any sixty seconds, over all routes. */
export const WRONG_TOKENS_PER_MINUTE = 20

/** Minimum length of the token of a server that other machines can reach. */
export const MIN_TOKEN_LENGTH = 16

/** Sliding window of all rate limits, in milliseconds. */
export const LIMIT_WINDOW_MS = 60_000

/** Maximum number of entries of the change log that one request reads. */
export const MAX_LISTED_CHANGES = 1_000

/** Maximum number of image records in a list of changes. */
export const MAX_CHANGED_RECORDS = 500

/** Maximum number of image names per request. */
export const MAX_NAMES_PER_REQUEST = 50_000

/** Limits of InvokeAI 6.14.2 per request: names, rows, and characters of a name. */
export const INVOKEAI_LIMITS = {
  namesPerRequest: 1_000,
  rowsPerRequest: 1_000,
  nameLength: 255,
  videoBytes: 1024 ** 3,
} as const

/** Maximum number of images per metadata request. */
export const MAX_METADATA_NAMES = 100

/** Maximum size of a JSON body, in bytes (8 MiB). */
export const MAX_JSON_BYTES = 8 * 1024 * 1024

/** Maximum number of shared files that wait in the browser until the user adds or discards them. */
export const MAX_SHARED_FILES = 200

/** Maximum total size of the waiting shared files, in bytes (512 MiB). */
export const MAX_SHARED_BYTES = 512 * 1024 * 1024

/** Maximum length of a board name, in characters. */
export const MAX_BOARD_NAME_LENGTH = 300

/** Maximum length of a board description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 10_000

/** Maximum length of the position of a board or a saved search, in characters. */
export const MAX_POSITION_LENGTH = 200

/** Maximum length of a pattern for file names, in characters. */
export const MAX_PATTERN_LENGTH = 200

/** Maximum number of files per batch upload. */
export const MAX_FILES_PER_BATCH = 500

/** Time after the last byte until an unfinished upload is deleted, in hours. */
export const UNFINISHED_UPLOAD_HOURS = 24

/** Maximum number of unfinished uploads of a server. */
export const MAX_UNFINISHED_UPLOADS = 100

/** All unfinished uploads together may be this many times as large as the largest upload. */
export const UNFINISHED_UPLOADS_FACTOR = 4

/** Default of `--max-upload`: maximum size of one file, in bytes (200 MiB). */
export const DEFAULT_MAX_UPLOAD_BYTES = 200 * 1024 * 1024

/** Maximum size of a video unless `--max-upload` is given, in bytes (2 GiB). */
export const DEFAULT_MAX_VIDEO_BYTES = 2 * 1024 * 1024 * 1024

/** Default of `--playable-cache`: maximum size of all playable copies of videos, in bytes (5 GiB). */
export const DEFAULT_PLAYABLE_CACHE_BYTES = 5 * 1024 * 1024 * 1024

/** Default of `--max-pixels`: maximum width times height of an image. */
export const DEFAULT_MAX_PIXELS = 200_000_000

/** Maximum memory for reading and decoding one file, in bytes. A file that needs more is refused. */
export const MAX_DECODE_MEMORY_BYTES = 600_000_000

/** Maximum width times height of `resize_to`. */
export const MAX_RESIZE_PIXELS = 16_777_216

/** Days until items in the trash are deleted permanently. */
export const TRASH_DAYS = 30

/** Longest sides of thumbnails, in pixels. The first is created during the upload, the others on first use. */
export const THUMBNAIL_SIZES = [384, 768, 1536] as const

/** Frames in the strip of a video, in one row from left to right. */
export const STRIP_FRAMES = 20

/** Longest side of a frame in the strip of a video, in pixels. */
export const STRIP_FRAME_PX = 160

/** Maximum size of a picture that a client sends as the poster of a video, in bytes. */
export const MAX_POSTER_BYTES = 2 * 1024 * 1024

/** Default limit of `list_images`. Set by the specification. */
export const DEFAULT_LIST_LIMIT = 100

/** Default limit of `GET /api/v1/images/`. Set by InvokeAI. */
export const DEFAULT_PAGE_LIMIT = 10

/** Maximum limit of `GET /api/v1/gallery/items/`. Set by InvokeAI. */
export const MAX_GALLERY_PAGE = 1000

/** Maximum number of keys in the client state, where clients store their own data on the server. */
export const MAX_CLIENT_STATE_KEYS = 64

/** Maximum number of saved searches. */
export const MAX_SAVED_SEARCHES = 500

/** Maximum number of searches whose images one request counts. */
export const MAX_COUNTED_SEARCHES = 100

/** Maximum length of the name of a saved search, in characters. */
export const MAX_SEARCH_NAME_LENGTH = 100

/** Maximum number of groups of duplicates in one page or request. */
export const MAX_DUPLICATE_GROUPS = 1_000

/** Maximum number of bits in which the pictures of nearly the same images may differ. */
export const MAX_HASH_DISTANCE = 11

/** The best rating. */
export const MAX_RATING = 5

/** Maximum number of tags of a library. */
export const MAX_TAGS = 100_000

/** Maximum number of tags that one request adds, and that it removes. */
export const MAX_TAGS_PER_REQUEST = 50

/** Maximum number of images times tags per request, which limits the size of the answer. */
export const MAX_TAGGINGS_PER_REQUEST = 500_000

/** Maximum length of the name of a tag, in characters. */
export const MAX_TAG_LENGTH = 100

/** Days until a deleted, renamed or merged tag cannot be restored any more. */
export const TAG_UNDO_DAYS = 30

/** Maximum number of stored workflows. */
export const MAX_WORKFLOWS = 10_000

/** Maximum length of a client state value, in characters. */
export const MAX_CLIENT_STATE_LENGTH = 4 * 1024 * 1024

/** Maximum length of a client state key, in characters. */
export const MAX_CLIENT_STATE_KEY_LENGTH = 200

/** Maximum number of folders in one listing. */
export const MAX_LISTED_FOLDERS = 1_000

/** Maximum number of refused files per import in the list of imports, which is polled every second. */
export const MAX_LISTED_REFUSALS = 20

/** Maximum number of refused files in the record of a single import. */
export const MAX_NAMED_REFUSALS = 1_000

/** Maximum number of refused files that the server stores per import and returns in pages (about 25 MB). */
export const MAX_KEPT_REFUSALS = 100_000

/** Maximum number of added images that the server stores per import (about 15 MB). */
export const MAX_KEPT_ADDED_IMAGES = 100_000

/** Maximum number of added images of an import per page. */
export const MAX_LISTED_ADDED_IMAGES = 10_000

/** Maximum number of nodes of a graph. */
export const MAX_GRAPH_NODES = 2_000

/** Maximum number of edges of a graph. */
export const MAX_GRAPH_EDGES = 20_000

/** Maximum number of executed nodes per run of a graph. Nodes after an `iterate` count once per item. */
export const MAX_PREPARED_NODES = 10_000

/** The prompts of at most this many images are read to count words. */
export const MAX_READ_PROMPTS = 20_000
