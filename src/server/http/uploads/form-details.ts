import { BatchUploadItem } from '#contract/uploads/upload-operations.ts'
import type { Upload } from '#server/core/intake/ingest-service.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { parseJson } from '#server/http/validation/parse-json.ts'
import { readBody } from '#server/http/validation/read-body.ts'

export type FormDetails = Pick<Upload, 'metadata' | 'resizeTo' | 'takenAt'>

/**
 * Reads the text parts of an upload by name. Invalid metadata and dates are ignored, as InvokeAI does.
 *
 * @throws {Refusal} `invalid_resize`.
 */
export const formDetails = (texts: ReadonlyMap<string, string>): FormDetails => ({
  metadata: texts.get('metadata') ?? null,
  resizeTo: parseSize(texts.get('resize_to')),
  takenAt: parseTimestamp(texts.get('taken_at')),
})

/** Parses `{"width", "height"}`. InvokeAI also accepts digit strings. Ingest checks the range. */
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

const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?$/

/** Parses a timestamp of the API to milliseconds since 1970. Returns null if it is invalid. */
export function parseTimestamp(text: string | undefined): number | null {
  const [, date, time] = form.exec(text?.trim() ?? '') ?? []
  const milliseconds = Date.parse(`${date}T${time}Z`)
  return Number.isNaN(milliseconds) ? null : milliseconds
}

/** Parses an `upload` part. Returns `{}` if the part is absent and null if it is invalid. */
export function parseBatchItem(text: string | undefined): BatchUploadItem | null {
  if (text === undefined) return {}
  const found = new FaultList()
  try {
    const rules = { isRequired: true, mode: 'lax' } as const
    const item = readBody(BatchUploadItem, parseJson(text), rules, found)
    return found.all.length === 0 ? item : null
  } catch {
    return null // invalid JSON
  }
}
