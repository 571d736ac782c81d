import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceRecord } from '#server/core/imports/import-ports.ts'

/** The folder in which InvokeAI stores texts of videos, because it writes none into the files. */
export const SIDECARS_FOLDER = 'sidecars'

/** More than any needs: workflows have at most a few megabytes. */
const MAX_BYTES = 16 * 1024 * 1024

type VideoTexts = Partial<Pick<SourceRecord, 'metadata' | 'workflow' | 'graph'>>

/**
 * Reads metadata, workflow and graph of a video from the file that InvokeAI writes for it. Without a usable file the video
 * is imported without them.
 *
 * @param below - Path of the video below its folder.
 */
export const readVideoSidecar = async (folder: string, below: string): Promise<VideoTexts> => {
  const path = join(folder, SIDECARS_FOLDER, below.replace(/\.[^./\\]*$/, '.json'))
  try {
    const stats = await stat(path)
    if (!stats.isFile() || stats.size > MAX_BYTES) return {}
    const texts: unknown = JSON.parse(await readFile(path, 'utf8'))
    const textOf = (name: string): string | null =>
      typeof texts === 'object' && texts !== null ? jsonText(Reflect.get(texts, name)) : null
    return {
      metadata: textOf('invokeai_metadata'),
      workflow: textOf('invokeai_workflow'),
      graph: textOf('invokeai_graph'),
    }
  } catch {
    return {}
  }
}

/** Returns the text of a JSON object, as InvokeAI stores it. Returns null for any other value. */
const jsonText = (value: unknown): string | null => {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : null
    return typeof parsed === 'object' && parsed !== null ? String(value) : null
  } catch {
    return null
  }
}
