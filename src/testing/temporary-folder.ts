import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder of this test's own. */
export const createTemporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tessera-test-'))

/** Removes a folder and all in it. A process that was killed a moment ago may still close files there. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
