import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Opens a file for `uploadImage` in Node. Its bytes are streamed during the upload and never held in memory at
 * once.
 *
 * @param filePath - Absolute, or relative to the working directory.
 * @throws The error of `stat`, such as `ENOENT`.
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091', openFile })
 * await boards.getUncategorizedHandle().uploadImage('cat.png')
 */
export const openFile = async (filePath: string): Promise<{ bytes: Blob; fileName: string }> => {
  // `openAsBlob` does not reject if the file does not exist.
  await stat(filePath)
  return { bytes: await openAsBlob(filePath), fileName: basename(filePath) }
}
