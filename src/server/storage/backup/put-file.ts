import { constants } from 'node:fs'
import { copyFile, lstat, rename, rm } from 'node:fs/promises'
import { setModeByFolder } from '#server/storage/disk/make-folder.ts'
import { ignoreMissing, systemCode, tryLink } from '#server/storage/disk/system-errors.ts'
import { flushFile, hashFile } from '#server/storage/disk/whole-file.ts'

export interface Expected {
  bytes: number
  /** SHA-256, hexadecimal. */
  hash: string
}

/** The result of `putFile`. `missing`, `damaged`: the source does not exist, or does not match. */
export type PutResult = 'there' | 'copied' | 'linked' | 'missing' | 'damaged'

/**
 * Makes `to` a copy of `from`, unless it already has the expected size (and, with `deep`, the expected hash). The
 * bytes are checked before they get their final name, so that a wrong source never replaces a good copy. On file
 * systems that can share blocks, such as Btrfs and XFS, a copy takes no space.
 *
 * @param options - `unfinished` is a temporary path on the file system of `to`, reserved for this call.
 */
export const putFile = async (
  from: string,
  to: string,
  expected: Expected,
  options: { unfinished: string; deep: boolean; link: boolean },
): Promise<PutResult> => {
  const { unfinished, deep } = options
  const stats = await lstat(to).catch(ignoreMissing)
  if (stats?.isFile() && stats.size === expected.bytes) {
    if (!deep || (await hashFile(to)) === expected.hash) return 'there'
  }
  try {
    const isLinked = options.link && (await tryLink(from, unfinished))
    if (!isLinked) {
      await copyFile(from, unfinished, constants.COPYFILE_FICLONE)
      await setModeByFolder(unfinished)
    }
    const { size } = await lstat(unfinished)
    if (size !== expected.bytes || (await hashFile(unfinished)) !== expected.hash) {
      await rm(unfinished)
      return 'damaged'
    }
    if (!isLinked) await flushFile(unfinished)
    await rename(unfinished, to)
    return isLinked ? 'linked' : 'copied'
  } catch (error) {
    await rm(unfinished, { force: true })
    if (systemCode(error) === 'ENOENT' && (await lstat(from).catch(ignoreMissing)) === undefined) {
      return 'missing'
    }
    throw error
  }
}
