import { readFile, stat } from 'node:fs/promises'
import Value from 'typebox/value'
import { ExportSidecar, SIDECAR_EXTENSION } from '#server/core/export-files.ts'
import type { SourceRecord } from '#server/core/import-ports.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'

/** More than any sidecar takes: workflows have a few megabytes at most. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Reads what stands beside an image.
 *
 * @returns null: there is no sidecar. Text: why what is there is none, for a person.
 */
export const readSidecar = async (
  imagePath: string,
  bytes: number,
): Promise<ExportSidecar | string | null> => {
  const path = systemPath(imagePath + SIDECAR_EXTENSION)
  try {
    const stats = await stat(path)
    if (!stats.isFile() || stats.size > MAX_BYTES) return broken
    const sidecar: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Value.Check(ExportSidecar, sidecar)) return faultIn(sidecar)
    return sidecar.file_size === bytes ? sidecar : ofAnother
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : broken
  }
}

const broken = 'It cannot be read. Its image is imported as a plain file.'

const ofAnother = 'Its image is not the one that was exported. It is imported as a plain file.'

const faultIn = (sidecar: unknown): string => {
  const [, member] = Value.Errors(ExportSidecar, sidecar)[0]?.instancePath.split('/') ?? []
  if (member === undefined) return broken
  return `Its “${member}” is not as exports write it: its image counts as a plain file.`
}

/** What a sidecar says of its image. */
export const recordOfSidecar = (sidecar: ExportSidecar): SourceRecord => ({
  identity: sidecar.image_name,
  contentHash: sidecar.content_hash,
  fileName: sidecar.file_name,
  category: sidecar.image_category,
  origin: sidecar.image_origin,
  isIntermediate: false,
  starred: sidecar.starred,
  createdAt: Date.parse(sidecar.created_at),
  takenAt: sidecar.taken_at === null ? null : Date.parse(sidecar.taken_at),
  sessionId: sidecar.session_id,
  nodeId: sidecar.node_id,
  metadata: sidecar.metadata,
  workflow: sidecar.workflow,
  graph: sidecar.graph,
})
