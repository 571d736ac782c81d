/**
 * Work that only one process of a library does at a time.
 * - `removal`: deletes the files of deleted images
 * - `upkeep`: sweeps pending files and purges the trash
 * - `reread`: reads the metadata of images again
 */
export type SingleWork = 'removal' | 'upkeep' | 'reread'

export interface ProcessLocks {
  /**
   * Does the work, unless another process does work of this kind. The lock of a process that dies is released.
   *
   * @returns null if another process holds the lock.
   */
  tryRun<T>(work: SingleWork, run: () => Promise<T>): Promise<T | null>
}

/** The locks of a library that only this process uses. */
export const onlyProcess: ProcessLocks = { tryRun: (_work, run) => run() }
