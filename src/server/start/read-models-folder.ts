import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'

/**
 * Reads the name of a folder of models. It must be there: models are never written, so that none is made.
 *
 * @returns Absolute.
 * @throws {InvalidArgumentError} There is no such folder, or it cannot be read.
 */
export function readModelsFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('A folder has a name.')
  const folder = resolve(text)
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new InvalidArgumentError(
      isMissing ? `There is no folder ${folder}.` : `The folder ${folder} cannot be read.`,
    )
  }
  throw new InvalidArgumentError(`${folder} is no folder.`)
}
