import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnfinishedFiles, UnfinishedUpload } from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { duplicateFile } from './duplicate-file.ts'
import { inFolder } from './make-folder.ts'
import { exists, ignoreMissing, writeFailure } from './system-errors.ts'
import { hashFile } from './whole-file.ts'
import { FLUSH_BYTES, flushDirectory, writeBlocks } from './write-blocks.ts'

/** Longest time between two flushes, in milliseconds. A crash of the machine loses what was written since the last one. */
const FLUSH_MS = 60_000

const NOTES = '.json'

/**
 * Opens the unfinished uploads of a data folder, in `uploads/`: the bytes, and beside them the notes of the upload. The
 * notes tell how many bytes are flushed. Bytes after them are of a crashed process and are written again.
 */
export const openUnfinishedFolder = (dataFolder: string): UnfinishedFiles => {
  const folder = join(dataFolder, 'uploads')
  const incomingFolder = join(dataFolder, 'incoming')

  const read = async (fileName: string): Promise<UnfinishedUpload | null> => {
    const path = join(folder, fileName)
    const text = await readFile(path, 'utf8').catch(ignoreMissing)
    if (text === undefined) return null
    const found = await stat(path.slice(0, -NOTES.length)).catch(ignoreMissing)
    const upload = parse(text)
    return found === undefined || upload === null || found.size < upload.offset ? null : upload
  }

  const write = async (upload: UnfinishedUpload): Promise<void> => {
    const path = pathOf(folder, upload.key) + NOTES
    const temporary = join(incomingFolder, randomUUID())
    {
      await using file = await inFolder(incomingFolder, () => open(temporary, 'wx'))
      await file.writeFile(JSON.stringify(upload))
      await file.datasync()
    }
    await rename(temporary, path)
  }

  const remove = async (path: string): Promise<void> => {
    await unlink(path + NOTES).catch(ignoreMissing)
    await unlink(path).catch(ignoreMissing)
  }

  return {
    put: async (upload) => {
      const path = pathOf(folder, upload.key)
      try {
        // `a` keeps the bytes of an existing upload.
        await (await inFolder(folder, () => open(path, 'a'))).close()
        await write(upload)
        await flushDirectory(folder)
      } catch (error) {
        throw writeFailure(error)
      }
    },

    get: (key) => read(`${nameOf(key)}${NOTES}`),

    list: async () => {
      const names = (await readdir(folder).catch(ignoreMissing)) ?? []
      const uploads: UnfinishedUpload[] = []
      for (const name of names) {
        const notes = name.endsWith(NOTES) ? name : `${name}${NOTES}`
        const upload = await read(notes)
        if (upload === null) await remove(join(folder, notes.slice(0, -NOTES.length)))
        else if (notes === name) uploads.push(upload)
      }
      return uploads
    },

    append: async (upload, source, clock) => {
      const path = pathOf(folder, upload.key)
      let { offset } = upload
      let flushed = { bytes: offset, at: performance.now() }
      const file = await open(path, 'r+')
      const flush = async () => {
        await file.datasync()
        flushed = { bytes: offset, at: performance.now() }
        // It was deleted meanwhile, perhaps by its sender.
        if (!(await exists(path))) throw new Refusal('upload_not_found')
        await write({ ...upload, offset, changedAt: clock() })
      }
      let cause: unknown
      const arriving = untilBreak(source, (error) => {
        cause = error
      })
      try {
        await file.truncate(offset)
        try {
          await writeBlocks(arriving, async (block) => {
            for (let done = 0; done < block.length; ) {
              const { bytesWritten } = await file.write(block, done, block.length - done, offset)
              done += bytesWritten
              offset += bytesWritten
            }
            const isDue = performance.now() - flushed.at > FLUSH_MS
            if (isDue || offset - flushed.bytes >= FLUSH_BYTES) await flush()
          })
        } finally {
          if (offset > flushed.bytes) await flush()
        }
      } catch (error) {
        throw writeFailure(error)
      } finally {
        await file.close()
      }
      if (cause !== undefined) throw new Refusal('upload_cut_off', undefined, { cause })
      return offset
    },

    stage: async (key) => {
      const path = pathOf(folder, key)
      const contentHash = await hashFile(path)
      const { size: bytes } = await stat(path)
      const staged = await duplicateFile(path, incomingFolder)
      if (staged === null) throw new Refusal('upload_not_found')
      return { path: staged.path, bytes, contentHash }
    },

    remove: (key) => remove(pathOf(folder, key)),
  }
}

/** The sender chooses the key, so it is no file name. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40)

const pathOf = (folder: string, key: string): string => join(folder, nameOf(key))

const parse = (text: string): UnfinishedUpload | null => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Ends at an error, so that the bytes before it are kept. */
async function* untilBreak(
  source: AsyncIterable<Uint8Array>,
  onBreak: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    onBreak(error)
  }
}
