import { type Command, InvalidArgumentError } from 'commander'
import { InvalidUpstreamError, readUpstreamAddress } from '#server/upstream/upstream-address.ts'
import { StartError } from './start-error.ts'

/** Options that a gallery without its own library does not support. */
const ofLibrary = [
  'data',
  'database',
  'files',
  'filesRedirect',
  'redis',
  'maxUpload',
  'maxPixels',
  'models',
  'modelMemory',
  'playableCache',
  'backupEvery',
  'readOnly',
]

export function readUpstream(text: string): string {
  try {
    return readUpstreamAddress(text.trim()).origin
  } catch (error) {
    if (error instanceof InvalidUpstreamError) throw new InvalidArgumentError(error.message)
    throw error
  }
}

/**
 * Refuses library flags with `--upstream`. Ignores their environment variables, because a container image may set
 * them for every use.
 *
 * @throws {StartError} A flag cannot be used with `--upstream`.
 */
export function assertNoLibraryFlags(command: Command): void {
  const given = command.options.find((option) => {
    const name = option.attributeName()
    return ofLibrary.includes(name) && command.getOptionValueSource(name) === 'cli'
  })
  if (given === undefined) return
  const message = `${given.long} cannot be together with --upstream: images, models and their limits are InvokeAI's there. Leave one of the two out.`
  throw new StartError(message, 2)
}
