import { createHash } from 'node:crypto'
import { lstat, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  CONVERTED_FILES,
  CONVERTED_MANIFEST,
  type ConvertedManifest,
} from '#server/core/exports/export-files.ts'
import {
  type ConvertedFolder,
  type ExportPlace,
  TargetFolderError,
} from '#server/core/exports/export-ports.ts'
import { formText } from '#server/core/exports/picture-forms.ts'
import type { PictureForm } from '#server/core/images/picture-ports.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, systemCode } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import {
  prepareTargetFolder,
  prepareWriting,
  targetFailure,
} from '#server/storage/disk/target-folder.ts'
import { openExportWriter, TEMPORARY } from './export-writer.ts'
import { readConvertedManifest, readManifest } from './read-manifest.ts'

/**
 * Opens a folder for converted files: an empty or new one, or one of an earlier export in the same form. It lists its files,
 * because a converted file does not tell which image it was made from.
 *
 * @throws {TargetFolderError} Same as `prepareTargetFolder`, and if the folder has originals or files in another form.
 */
export const openConvertedFolder = async (
  folder: string,
  form: PictureForm,
  options: { dataFolder: string; files: Pick<ImageFiles, 'local'> },
): Promise<ConvertedFolder> => {
  const earlier = await readConvertedManifest(folder)
  if (earlier !== null && !isSameForm(formOf(earlier), form)) {
    throw new TargetFolderError(
      `${folder} has files ${formText(formOf(earlier))}. Repeat these options, or choose another folder.`,
    )
  }
  if (earlier === null && (await readManifest(folder)) !== null) {
    throw new TargetFolderError(
      `${folder} is an export of the originals. Choose another folder for converted files.`,
    )
  }
  const root = await prepareTargetFolder(folder, {
    dataFolder: options.dataFolder,
    isOurs: async (path) => (await readConvertedManifest(path)) !== null,
    leftovers: [TEMPORARY],
    writer: 'an export with the same options',
  })
  const { writer, list } = await prepareWriting(root, async () => {
    const writer = await openExportWriter(root)
    const manifest = `${JSON.stringify(manifestOf(form), null, 2)}\n`
    await writer.writeContent(join(root, CONVERTED_MANIFEST), manifest)
    return { writer, list: await openFileList(join(root, CONVERTED_FILES)) }
  })
  const pathOf = ({ folder, fileName }: ExportPlace) => join(root, ...folder.split('/'), fileName)

  /** Returns why something could not be written. null: it is written. */
  const reasonIn = async (work: () => Promise<string | null>): Promise<string | null> => {
    try {
      return await work()
    } catch (error) {
      const failure = targetFailure(root, error)
      if (failure instanceof TargetFolderError) throw failure
      return fileReason(error)
    }
  }

  return {
    stateOf: async (imageName, place) => {
      const file = await lstat(pathOf(place)).catch((error: unknown) =>
        systemCode(error) === 'ENOENT' ? null : 'unreadable',
      )
      if (file === null) return 'free'
      const isKnown =
        file !== 'unreadable' && file.isFile() && list.has(imageName, place, file.size)
      return isKnown ? 'known' : 'taken'
    },

    write: (imageName, place, { picture, date: milliseconds }) =>
      reasonIn(async () => {
        const path = pathOf(place)
        const date = milliseconds === null ? null : new Date(milliseconds)
        await mkdir(dirname(path), { recursive: true })
        if (picture !== null) {
          const { bytes } = picture
          // Listed first: an unlisted file would be taken for one of another program.
          const beforeRename = () => list.add(imageName, place, bytes.length)
          await writer.writeContent(path, bytes, { date, beforeRename })
          return null
        }
        await using original = await options.files.local(imageName)
        if (original === null) return 'The file is missing.'
        const { size } = await lstat(original.path)
        const beforeRename = () => list.add(imageName, place, size)
        await writer.copy(original.path, path, { date, beforeRename })
        return null
      }),

    writeXmp: (place, xmp) =>
      reasonIn(async () => {
        await writer.writeXmp(pathOf(place), xmp)
        return null
      }),

    close: async () => {
      await list.close()
      await writer.close()
    },
  }
}

const formOf = (manifest: ConvertedManifest): PictureForm => ({
  format: manifest.format,
  quality: manifest.quality,
  longestSidePx: manifest.longest_side,
  withoutMetadata: manifest.without_metadata,
})

const isSameForm = (one: PictureForm, other: PictureForm): boolean =>
  one.format === other.format &&
  one.quality === other.quality &&
  one.longestSidePx === other.longestSidePx &&
  one.withoutMetadata === other.withoutMetadata

const manifestOf = (form: PictureForm): ConvertedManifest => ({
  tessera_converted: 1,
  about: `These files are copies ${formText(form)}, not the originals. "tessera import" adds them as new images. To move or keep a library, export it without --format, --longest-side and --without-metadata.`,
  format: form.format,
  quality: form.quality,
  longest_side: form.longestSidePx,
  without_metadata: form.withoutMetadata,
})

/**
 * Opens the list of files. A line has a key of the image, the size in bytes, and the path. The key is a hash, because image
 * names contain the time at which they were given, and files without metadata should not tell it.
 */
const openFileList = async (path: string) => {
  const earlier = (await readFile(path, 'utf8').catch(ignoreMissing)) ?? ''
  const known = new Map<string, string>()
  for (const line of earlier.split('\n')) {
    const [, value = '', file = ''] = /^(\S+ \d+) (.+)$/.exec(line) ?? []
    known.set(file, value)
  }
  const list = await open(path, 'a')
  // A crash may have left half a line.
  if (earlier !== '' && !earlier.endsWith('\n')) await list.appendFile('\n')
  const entryOf = (imageName: string, bytes: number) => `${keyOf(imageName)} ${bytes}`
  return {
    has: (imageName: string, place: ExportPlace, bytes: number) =>
      known.get(fileOf(place)) === entryOf(imageName, bytes),
    add: async (imageName: string, place: ExportPlace, bytes: number) => {
      await list.appendFile(`${entryOf(imageName, bytes)} ${fileOf(place)}\n`)
      await list.datasync()
    },
    close: () => list.close(),
  }
}

const keyOf = (imageName: string): string =>
  createHash('sha256').update(imageName).digest('base64url').slice(0, 22)

const fileOf = ({ folder, fileName }: ExportPlace): string =>
  folder === '' ? fileName : `${folder}/${fileName}`
