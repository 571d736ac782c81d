import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { XmpSidecar } from '#server/core/exports/export-ports.ts'
import { XMP_EXTENSION, XMP_MARK } from '#server/core/exports/export-xmp.ts'
import { setModeByFolder } from '#server/storage/disk/make-folder.ts'
import { ignoreMissing } from '#server/storage/disk/system-errors.ts'
import { flushFile } from '#server/storage/disk/whole-file.ts'

/** Folder for partial files, so that none is mistaken for a complete one. */
export const TEMPORARY = '.tessera-export'

/**
 * Writes files of an export under a temporary name, flushes and renames them.
 *
 * @throws A system error if the folder cannot be written.
 */
export const openExportWriter = async (root: string) => {
  const folder = join(root, TEMPORARY)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)

  const writeWhole = async (
    path: string,
    { write, beforeRename = async () => {} }: WholeFile,
  ): Promise<void> => {
    const unfinished = join(folder, randomUUID())
    try {
      await write(unfinished)
      await beforeRename()
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  const writeContent = (path: string, content: string | Uint8Array, options: FileOptions = {}) =>
    writeWhole(path, {
      ...options,
      write: async (unfinished) => {
        await writeFile(unfinished, content, { flush: true })
        await setDate(unfinished, options.date)
      },
    })

  return {
    /** Path of the folder for partial files. */
    folder,

    writeContent,

    /** Shares disk space with the original where the file system can. */
    copy: (original: string, path: string, options: FileOptions = {}) =>
      writeWhole(path, {
        ...options,
        write: async (unfinished) => {
          await copyFile(original, unfinished, constants.COPYFILE_FICLONE)
          await setModeByFolder(unfinished)
          await flushFile(unfinished)
          await setDate(unfinished, options.date)
        },
      }),

    /** Writes the XMP file of an image. Leaves one that another program wrote or changed. */
    writeXmp: async (imagePath: string, { text, isEmpty }: XmpSidecar) => {
      const path = imagePath + XMP_EXTENSION
      const written = await readFile(path, 'utf8').catch(ignoreMissing)
      const isWanted = written === undefined ? !isEmpty : written.includes(XMP_MARK)
      if (isWanted && written !== text) await writeContent(path, text)
    },

    close: () => rm(folder, { recursive: true, force: true }),
  }
}

interface FileOptions {
  /** For file managers. Absent or null: now. */
  date?: Date | null
  beforeRename?: () => Promise<unknown>
}

interface WholeFile extends FileOptions {
  write: (unfinished: string) => Promise<unknown>
}

const setDate = async (path: string, date: Date | null | undefined): Promise<void> => {
  if (date) await utimes(path, date, date).catch(() => undefined)
}
