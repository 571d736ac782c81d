import { type Command, InvalidArgumentError } from 'commander'
import { InvalidUpstreamError, readUpstreamAddress } from '#server/upstream/upstream-address.ts'
import { StartError } from './start-error.ts'

/** What a gallery without a library of its own has no use for, by its name among the options. */
const ofLibrary: Readonly<Record<string, string>> = {
  data: '--data',
  maxUpload: '--max-upload',
  maxPixels: '--max-pixels',
  models: '--models',
  modelMemory: '--model-memory',
  backupEvery: '--backup-every',
}

/** Reads `--upstream`. */
export function readUpstream(text: string): string {
  try {
    return readUpstreamAddress(text.trim()).origin
  } catch (error) {
    if (error instanceof InvalidUpstreamError) throw new InvalidArgumentError(error.message)
    throw error
  }
}

/**
 * Refuses flags that say something of a library where there is none. What the environment says of one is
 * passed over: an image of a container may set it for everybody.
 *
 * @throws {StartError} A flag cannot be with `--upstream`.
 */
export function assertNoLibraryFlags(command: Command): void {
  const flag = Object.entries(ofLibrary).find(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  )?.[1]
  if (flag === undefined) return
  const said = `${flag} cannot be together with --upstream: images, models and their limits are InvokeAI's there. Leave one of the two out.`
  throw new StartError(said, 2)
}
