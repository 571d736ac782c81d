import { open } from 'node:fs/promises'

/** Makes renames and new names in a directory survive a power cut. */
export const flushDirectory = async (path: string): Promise<void> => {
  // Windows cannot open a directory; its file system journals renames itself.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
