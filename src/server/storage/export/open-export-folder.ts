import { lstat, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import Value from 'typebox/value'
import {
  EXPORT_MANIFEST,
  EXPORT_ORDER,
  type ExportManifest,
  ExportSidecar,
  SIDECAR_EXTENSION,
} from '#server/core/exports/export-files.ts'
import {
  type ExportFolder,
  type ExportPlace,
  TargetFolderError,
} from '#server/core/exports/export-ports.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, tryLink } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import {
  prepareTargetFolder,
  prepareWriting,
  targetFailure,
} from '#server/storage/disk/target-folder.ts'
import { openExportWriter, TEMPORARY } from './export-writer.ts'
import { readConvertedManifest, readManifest } from './read-manifest.ts'

/**
 * Opens a folder to export to: an empty one, a new one, or an earlier export. A sidecar is written before its image, so
 * that an image is never paired with the sidecar of another one.
 *
 * @throws {TargetFolderError} Same as `prepareTargetFolder`, and if the folder has converted files.
 */
export const openExportFolder = async (
  folder: string,
  options: { dataFolder: string; files: Pick<ImageFiles, 'local'> },
): Promise<ExportFolder> => {
  if ((await readConvertedManifest(folder)) !== null) {
    throw new TargetFolderError(
      `${folder} has converted files. Choose another folder for an export of the originals.`,
    )
  }
  const root = await prepareTargetFolder(folder, {
    dataFolder: options.dataFolder,
    isOurs: async (path) => (await readManifest(path)) !== null,
    leftovers: [TEMPORARY],
    writer: 'an export',
  })
  const { writer, order } = await prepareWriting(root, async () => {
    const writer = await openExportWriter(root)
    return { writer, order: await open(join(writer.folder, EXPORT_ORDER), 'w') }
  })

  return {
    manifest: () => readManifest(root),

    writeManifest: (manifest) =>
      writer.writeContent(join(root, EXPORT_MANIFEST), textOf(manifest)).catch((error: unknown) => {
        throw targetFailure(root, error)
      }),

    put: async ({ imageName, sidecar }, place, { link, xmp }) => {
      const path = join(root, ...place.folder.split('/'), place.fileName)
      const sidecarPath = path + SIDECAR_EXTENSION
      try {
        const [file, written] = await Promise.all([
          lstat(path).catch(ignoreMissing),
          readFile(sidecarPath, 'utf8').catch(ignoreMissing),
        ])
        if (written !== undefined && identityIn(written) !== imageName) return 'taken'
        const isFree = file === undefined || (written !== undefined && file.isFile())
        if (!isFree || (file !== undefined && file.size !== sidecar.file_size)) return 'taken'

        await using original = file === undefined ? await options.files.local(imageName) : null
        if (file === undefined && original === null) {
          return { failure: 'Its file is not in the library any more.' }
        }
        if (written === undefined) await mkdir(join(path, '..'), { recursive: true })
        const text = textOf(sidecar)
        if (written !== text) await writer.writeContent(sidecarPath, text)
        if (xmp !== null) await writer.writeXmp(path, xmp)
        if (original === null) return 'known'
        if (link && (await tryLink(original.path, path))) return 'linked'
        await writer.copy(original.path, path, { date: dateOf(sidecar) })
        return 'copied'
      } catch (error) {
        const failure = targetFailure(root, error)
        if (failure instanceof TargetFolderError) throw failure
        return { failure: fileReason(error) }
      }
    },

    addToOrder: async (places) => {
      const lines = places.map(
        ({ folder, fileName }: ExportPlace) => `${folder === '' ? '' : `${folder}/`}${fileName}\n`,
      )
      await order.appendFile(lines.join('')).catch((error: unknown) => {
        throw targetFailure(root, error)
      })
    },

    close: async ({ isWhole }) => {
      try {
        if (isWhole) await order.sync()
        await order.close()
        if (isWhole) await rename(join(writer.folder, EXPORT_ORDER), join(root, EXPORT_ORDER))
        await writer.close()
      } catch (error) {
        // If the export failed, its error is reported instead of this one.
        if (isWhole) throw targetFailure(root, error)
      }
    },
  }
}

const textOf = (value: ExportManifest | ExportSidecar): string =>
  `${JSON.stringify(value, null, 2)}\n`

/** Returns the image name in a sidecar. null: not a sidecar. */
const identityIn = (text: string): string | null => {
  try {
    const sidecar: unknown = JSON.parse(text)
    return Value.Check(ExportSidecar, sidecar) ? sidecar.image_name : null
  } catch {
    return null
  }
}

/** Returns the date that file managers show for a copy. */
const dateOf = ({ taken_at, created_at }: ExportSidecar): Date => new Date(taken_at ?? created_at)
