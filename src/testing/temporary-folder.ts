import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder for this test. */
export const createTemporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tessera-test-'))

/** Removes a folder with its content. A recently killed process may still have files open there. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
