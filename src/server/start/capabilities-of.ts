import { resolve } from 'node:path'
import {
  BATCH_REQUESTS_PER_MINUTE,
  DEFAULT_MAX_PIXELS,
  DEFAULT_MAX_UPLOAD_BYTES,
  DEFAULT_MAX_VIDEO_BYTES,
  MAX_FILES_PER_BATCH,
  MAX_NAMES_PER_REQUEST,
  REQUESTS_PER_MINUTE,
  THUMBNAIL_SIZES,
  TRASH_DAYS,
} from '#contract/limits.ts'
import { type Capabilities, Extension } from '#contract/server/app-operations.ts'
import type { RateLimits } from '#server/http/limits/rate-limits.ts'
import type { ServerOptions } from './server-options.ts'
import { version } from './version.ts'

/** Default rate limits. */
export const publishedLimits: RateLimits = {
  requestsPerMinute: REQUESTS_PER_MINUTE,
  batchRequestsPerMinute: BATCH_REQUESTS_PER_MINUTE,
}

export function capabilitiesOf(
  options: Pick<
    ServerOptions,
    | 'dataFolder'
    | 'databaseUrl'
    | 'redisUrl'
    | 'rateLimit'
    | 'maxUploadBytes'
    | 'maxVideoBytes'
    | 'maxPixels'
    | 'playableCacheBytes'
  >,
): Capabilities {
  const limits = options.rateLimit ?? publishedLimits
  return {
    server: 'tessera',
    version,
    extensions: Extension.enum.filter((name) => {
      const isAlone = options.redisUrl == null
      // The bytes of an upload lie on the disk of one process, and its next request may go to another one.
      if (name === 'imports' || name === 'resumable_uploads') return isAlone
      // A copy lies on the disk of one process, and the next request may go to another one.
      return name !== 'playable_copies' || (isAlone && options.playableCacheBytes !== 0)
    }),
    thumbnail_sizes: [...THUMBNAIL_SIZES],
    limits: {
      requests_per_minute: limits === 'off' ? null : limits.requestsPerMinute,
      batch_requests_per_minute: limits === 'off' ? null : limits.batchRequestsPerMinute,
      max_upload_bytes: options.maxUploadBytes ?? DEFAULT_MAX_UPLOAD_BYTES,
      max_video_bytes: options.maxVideoBytes ?? options.maxUploadBytes ?? DEFAULT_MAX_VIDEO_BYTES,
      max_pixels: options.maxPixels ?? DEFAULT_MAX_PIXELS,
      max_names_per_request: MAX_NAMES_PER_REQUEST,
      max_files_per_batch: MAX_FILES_PER_BATCH,
    },
    trash_days: TRASH_DAYS,
    ...(options.databaseUrl == null && { data_folder: resolve(options.dataFolder) }),
  }
}
