/** Requests a client may send in any sixty seconds (spec 8), the batch operations included. */
export const REQUESTS_PER_MINUTE = 100

/** Batch operations a client may send in any sixty seconds (spec 8). They count in both limits. */
export const BATCH_REQUESTS_PER_MINUTE = 10

/** A ceiling for what polls and is otherwise exempt: health, and later the queue's items. */
export const POLLS_PER_MINUTE = 600

/** Pages (browsers) with their own allowance on one address. Further ones share the address's allowance. */
export const MAX_PAGE_CLIENTS = 16

/** Different wrong tokens that an address may send in any sixty seconds, on all routes together. */
export const WRONG_TOKENS_PER_MINUTE = 20

/** The shortest token for a server that other machines can reach. */
export const MIN_TOKEN_LENGTH = 16

/** The span that every limit looks back over, in milliseconds. */
export const LIMIT_WINDOW_MS = 60_000

/** Image names in one request. */
export const MAX_NAMES_PER_REQUEST = 50_000

/** Names, rows and characters of a name that InvokeAI 6.14.2 accepts in one request. */
export const INVOKEAI_LIMITS = {
  namesPerRequest: 1_000,
  rowsPerRequest: 1_000,
  nameLength: 255,
} as const

/** Images whose metadata one request reads. */
export const MAX_METADATA_NAMES = 100

/** A JSON body, in bytes (8 MiB). */
export const MAX_JSON_BYTES = 8 * 1024 * 1024

/** Shared files that may wait in a browser until a person adds or discards them. */
export const MAX_SHARED_FILES = 200

/** The bytes of these files together (512 MiB). */
export const MAX_SHARED_BYTES = 512 * 1024 * 1024

/** A board's name, in characters. */
export const MAX_BOARD_NAME_LENGTH = 300

/** A board's description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 10_000

/** Files in one batch upload. */
export const MAX_FILES_PER_BATCH = 500

/** The default of `--max-upload`, in bytes of one file (200 MiB). */
export const DEFAULT_MAX_UPLOAD_BYTES = 200 * 1024 * 1024

/** The default of `--max-pixels`, width times height. */
export const DEFAULT_MAX_PIXELS = 200_000_000

/** Memory that reading and decoding one file may take, in bytes: a file that needs more is refused. */
export const MAX_DECODE_MEMORY_BYTES = 600_000_000

/** Width times height that `resize_to` may ask for (wire 2.2). */
export const MAX_RESIZE_PIXELS = 16_777_216

/** How long the trash keeps what is in it, in days. */
export const TRASH_DAYS = 30

/** The longest side of the thumbnails that exist, in pixels. The first is made at ingest, the others on first use. */
export const THUMBNAIL_SIZES = [384, 768, 1536] as const

/** `list_images` (spec 4.3). */
export const DEFAULT_LIST_LIMIT = 100

/** `GET /api/v1/images/` (wire 2.4). */
export const DEFAULT_PAGE_LIMIT = 10

/** The longest page of `GET /api/v1/gallery/items/` (wire 2.4). */
export const MAX_GALLERY_PAGE = 1000

/** Texts that clients may keep on the server for themselves, one a key. */
export const MAX_CLIENT_STATE_KEYS = 64

/** Such a text, in characters. */
export const MAX_CLIENT_STATE_LENGTH = 4 * 1024 * 1024

/** Its key, in characters. */
export const MAX_CLIENT_STATE_KEY_LENGTH = 200

/** Folders of the server's machine in one listing. */
export const MAX_LISTED_FOLDERS = 1_000

/** Refused files that the list of imports names of each: it is asked for every second. */
export const MAX_LISTED_REFUSALS = 20

/** Refused files that an import by itself names. */
export const MAX_NAMED_REFUSALS = 1_000

/** Refused files of one import that a server keeps, to be asked for page by page: about 25 MB. */
export const MAX_KEPT_REFUSALS = 100_000

/** Nodes of one graph. */
export const MAX_GRAPH_NODES = 2_000

/** Edges of one graph. */
export const MAX_GRAPH_EDGES = 20_000

/** Nodes that one run of a graph may become, what stands behind an `iterate` counted once an item. */
export const MAX_PREPARED_NODES = 10_000
