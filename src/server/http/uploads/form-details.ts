import type { Upload } from '#server/core/ingest-service.ts'
import { Refusal } from '#server/core/refusal.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** What an upload's form says beside its file. */
export type FormDetails = Pick<Upload, 'metadata' | 'resizeTo' | 'takenAt'>

/**
 * Reads the text parts of an upload, by name (wire 2.2). A `metadata` that is no object and a date that
 * is none are left out.
 *
 * @throws {Refusal} `invalid_resize`.
 */
export const formDetails = (texts: ReadonlyMap<string, string>): FormDetails => ({
  metadata: texts.get('metadata') ?? null,
  resizeTo: parseSize(texts.get('resize_to')),
  takenAt: parseTimestamp(texts.get('taken_at')),
})

/** `{"width", "height"}`; what the figures may be is a rule of ingest. */
function parseSize(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined) return null
  try {
    const { width, height } = JSON.parse(text) as { width: unknown; height: unknown }
    if (typeof width === 'number' && typeof height === 'number') return { width, height }
  } catch {
    // not JSON, or null
  }
  throw new Refusal('invalid_resize')
}
