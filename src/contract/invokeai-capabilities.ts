import type { Capabilities } from './app-operations.ts'

/** What is assumed of a server that does not tell: an InvokeAI, without extensions and limits. */
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
    max_names_per_request: Number.MAX_SAFE_INTEGER,
    max_files_per_batch: 1,
  },
  trash_days: 0,
})
