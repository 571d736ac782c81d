import { BatchUploadItem } from '#contract/upload-operations.ts'
import { FaultList } from '#server/http/validation/fault-list.ts'
import { parseJson } from '#server/http/validation/parse-json.ts'
import { readBody } from '#server/http/validation/read-body.ts'

/** Reads an `upload` part. Absent: nothing is said of the file. null: it cannot be read. */
export function parseBatchItem(text: string | undefined): BatchUploadItem | null {
  if (text === undefined) return {}
  const found = new FaultList()
  try {
    const rules = { isRequired: true, mode: 'lax' } as const
    const item = readBody(BatchUploadItem, parseJson(text), rules, found)
    return found.all.length === 0 ? item : null
  } catch {
    return null // no JSON
  }
}
