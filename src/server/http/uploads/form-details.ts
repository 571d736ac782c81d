import type { Upload } from '#server/core/ingest-service.ts'
import { Refusal } from '#server/core/refusal.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** The text parts of an upload. */
export type FormDetails = Pick<Upload, 'metadata' | 'resizeTo' | 'takenAt'>

/**
 * Reads the text parts of an upload, by name (wire 2.2). An invalid `metadata` or date is ignored.
 *
 * @throws {Refusal} `invalid_resize`.
 */
export const formDetails = (texts: ReadonlyMap<string, string>): FormDetails => ({
  metadata: texts.get('metadata') ?? null,
  resizeTo: parseSize(texts.get('resize_to')),
  takenAt: parseTimestamp(texts.get('taken_at')),
})

/** `{"width", "height"}`, also as texts of digits, as InvokeAI reads them. Ingest checks the range. */
function parseSize(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined || text === '') return null
  try {
    const { width, height } = JSON.parse(text) as { width: unknown; height: unknown }
    const size = { width: pixelsOf(width), height: pixelsOf(height) }
    if (!Number.isNaN(size.width) && !Number.isNaN(size.height)) return size
  } catch {
    // not JSON, or null
  }
  throw new Refusal('invalid_resize')
}

const pixelsOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
}
