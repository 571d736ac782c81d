import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Opens a file for `uploadImage` in Node. Its bytes are read while they are sent, never all at once.
 *
 * @throws What `stat` throws, such as `ENOENT`.
 *
 * @example
 * const { boards } = connect({ baseUrl: 'http://127.0.0.1:9091', openFile })
 * await boards.getUncategorizedHandle().uploadImage('cat.png')
 */
export const openFile = async (filePath: string): Promise<{ bytes: Blob; fileName: string }> => {
  // `openAsBlob` alone does not say that there is no such file.
  await stat(filePath)
  return { bytes: await openAsBlob(filePath), fileName: basename(filePath) }
}
