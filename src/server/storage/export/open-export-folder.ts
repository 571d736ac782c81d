import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
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
  type XmpSidecar,
} from '#server/core/exports/export-ports.ts'
import { XMP_EXTENSION, XMP_MARK } from '#server/core/exports/export-xmp.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { setModeByFolder } from '#server/storage/disk/make-folder.ts'
import { ignoreMissing, tryLink } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import {
  prepareTargetFolder,
  prepareWriting,
  targetFailure,
} from '#server/storage/disk/target-folder.ts'
import { flushFile } from '#server/storage/disk/whole-file.ts'
import { readManifest } from './read-manifest.ts'

/** Folder for partial files, so that none is mistaken for a complete one. */
const TEMPORARY = '.tessera-export'

/**
 * Opens a folder to export to: an empty one, a new one, or an earlier export. A file is written under a temporary
 * name, flushed and renamed. Its sidecar is written first, so that an image is never paired with the sidecar of
 * another one.
 *
 * @throws {TargetFolderError} Same as `prepareTargetFolder`.
 */
export const openExportFolder = async (
  folder: string,
  options: { dataFolder: string; files: Pick<ImageFiles, 'local'> },
): Promise<ExportFolder> => {
  const root = await prepareTargetFolder(folder, {
    dataFolder: options.dataFolder,
    isOurs: async (path) => (await readManifest(path)) !== null,
    leftovers: [TEMPORARY],
    writer: 'an export',
  })
  const temporaries = join(root, TEMPORARY)
  const temporary = () => join(temporaries, randomUUID())
  const order = await prepareWriting(root, async () => {
    await rm(temporaries, { recursive: true, force: true })
    await mkdir(temporaries)
    return open(join(temporaries, EXPORT_ORDER), 'w')
  })

  const writeWhole = async (path: string, text: string) => {
    const unfinished = temporary()
    await writeFile(unfinished, text, { flush: true })
    await rename(unfinished, path)
  }

  /** Leaves a sidecar that another program wrote or changed. */
  const writeXmp = async (path: string, { text, isEmpty }: XmpSidecar) => {
    const written = await readFile(path, 'utf8').catch(ignoreMissing)
    const isWanted = written === undefined ? !isEmpty : written.includes(XMP_MARK)
    if (isWanted && written !== text) await writeWhole(path, text)
  }

  return {
    manifest: () => readManifest(root),

    writeManifest: (manifest) =>
      writeWhole(join(root, EXPORT_MANIFEST), textOf(manifest)).catch((error: unknown) => {
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
        if (written !== text) await writeWhole(sidecarPath, text)
        if (xmp !== null) await writeXmp(path + XMP_EXTENSION, xmp)
        if (original === null) return 'known'
        if (link && (await tryLink(original.path, path))) return 'linked'
        await copyWhole(original.path, path, temporary(), dateOf(sidecar))
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
        if (isWhole) await rename(join(temporaries, EXPORT_ORDER), join(root, EXPORT_ORDER))
        await rm(temporaries, { recursive: true, force: true })
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

const copyWhole = async (original: string, path: string, unfinished: string, date: Date) => {
  try {
    await copyFile(original, unfinished, constants.COPYFILE_FICLONE)
    await setModeByFolder(unfinished)
    await flushFile(unfinished)
    await utimes(unfinished, date, date).catch(() => undefined)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
