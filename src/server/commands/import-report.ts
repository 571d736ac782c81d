import { closeSync, openSync, writeSync } from 'node:fs'
import type { ImportRefusal } from '#contract/import.ts'
import { StartError } from '#server/start-error.ts'

/** A file with a line of JSON for each refused file. */
export interface ImportReport {
  add(refusal: ImportRefusal): void
  close(): void
}

/** @throws {StartError} It cannot be written. */
export function openImportReport(path: string): ImportReport {
  try {
    const file = openSync(path, 'w')
    return {
      // At once, so that a run that is cut off has told what it refused until then.
      add: (refusal) => writeSync(file, `${JSON.stringify(refusal)}\n`),
      close: () => closeSync(file),
    }
  } catch (cause) {
    throw new StartError(`The report ${path} cannot be written.`, 2, { cause })
  }
}
