import { type Command, InvalidArgumentError } from 'commander'
import { InvalidUpstreamError, readUpstreamAddress } from '#server/upstream/upstream-address.ts'
import { StartError } from './start-error.ts'

/** Flags that a gallery without its own library does not support, by option name. */
const ofLibrary: Readonly<Record<string, string>> = {
  data: '--data',
  maxUpload: '--max-upload',
  maxPixels: '--max-pixels',
  models: '--models',
  modelMemory: '--model-memory',
  backupEvery: '--backup-every',
}

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
  const flag = Object.entries(ofLibrary).find(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  )?.[1]
  if (flag === undefined) return
  const message = `${flag} cannot be together with --upstream: images, models and their limits are InvokeAI's there. Leave one of the two out.`
  throw new StartError(message, 2)
}
