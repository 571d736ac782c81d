import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import type { Capabilities } from './app-operations.ts'

/**
 * The capabilities of a server that has no capabilities operation: an InvokeAI, without extensions and rate limits.
 * Older versions accept longer lists, but 6.14.2 refuses them.
 */
export const invokeAiCapabilities = (version: string): Capabilities => ({
  server: 'invokeai',
  version,
  extensions: [],
  thumbnail_sizes: [],
  limits: {
    requests_per_minute: null,
    batch_requests_per_minute: null,
    max_upload_bytes: Number.MAX_SAFE_INTEGER,
    max_pixels: Number.MAX_SAFE_INTEGER,
    max_names_per_request: INVOKEAI_LIMITS.namesPerRequest,
    max_rows_per_request: INVOKEAI_LIMITS.rowsPerRequest,
    max_name_length: INVOKEAI_LIMITS.nameLength,
    max_files_per_batch: 1,
  },
  trash_days: 0,
})
