import { resolve } from 'node:path'
import { Argument, type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_MAX_PIXELS, DEFAULT_MAX_UPLOAD_BYTES } from '#contract/limits.ts'
import { FilesUrlError, parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { StartError } from './start-error.ts'
import { formatBytes, parseBytes } from './units.ts'

/** Creates a flag that can also be set by the environment: `--max-upload` is `TESSERA_MAX_UPLOAD`. */
export const flag = (flags: string, description: string): Option => {
  const option = new Option(flags, description)
  return option.env(`TESSERA_${option.name().replaceAll('-', '_').toUpperCase()}`)
}

export const dataFlag = (): Option =>
  flag('--data <folder>', 'where records and images lie')
    .default(resolve('tessera-data'), '"./tessera-data"')
    .argParser(readFolder)

export const databaseFlag = (description: string): Option => flag('--database <url>', description)

export const filesFlag = (description: string): Option =>
  flag('--files <url>', description).argParser(readFiles)

export const maxUploadFlag = (): Option =>
  flag('--max-upload <size>', 'largest file that is taken in')
    .default(DEFAULT_MAX_UPLOAD_BYTES, formatBytes(DEFAULT_MAX_UPLOAD_BYTES))
    .argParser(readSize)

export const maxPixelsFlag = (use = 'taken in'): Option =>
  flag('--max-pixels <number>', `largest image that is ${use}, width times height`)
    .default(DEFAULT_MAX_PIXELS)
    .argParser(readCount)

export const folderArgument = (description: string, name = '<folder>'): Argument =>
  new Argument(name, description).argParser(readFolder)

/** A request for help or the version. The message is the text to print. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest'
}

/**
 * @throws {HelpRequest} The arguments ask for help or the version.
 * @throws {StartError} A flag is invalid.
 */
export function parse(command: Command, args: readonly string[]): void {
  let written = ''
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      written += text
    },
    writeErr: () => {}, // the caller prints one line
  })
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) throw new HelpRequest(written)
    throw new StartError(`${error.message.replace(/^error: /, '')} (see --help)`, 2)
  }
}

export function readFolder(text: string): string {
  if (text.trim() !== '') return resolve(text) // an empty path would be the current folder
  throw new InvalidArgumentError('A folder has a name.')
}

export function readCount(text: string): number {
  const count = /^[\d_]+$/.test(text) ? Number(text.replaceAll('_', '')) : 0
  if (count > 0 && Number.isSafeInteger(count)) return count
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

/** Returns a reader of whole numbers in a range. */
export const readNumberIn =
  ({ minimum, maximum }: { minimum: number; maximum: number }) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }

export function readSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isInteger(seconds)) return seconds
  throw new InvalidArgumentError('It must be a whole number of seconds, or 0.')
}

/** Reads the value of a switch, which the environment gives as a text: an empty one or 0 is off. */
export function readSwitch(text: string): boolean {
  const word = text.trim().toLowerCase()
  if (['1', 'true', 'yes', 'on'].includes(word)) return true
  if (['', '0', 'false', 'no', 'off'].includes(word)) return false
  throw new InvalidArgumentError('It is "on" or "off".')
}

export function readSize(text: string): number {
  const bytes = parseBytes(text)
  if (bytes !== null) return bytes
  throw new InvalidArgumentError('A size looks like 200MiB.')
}

/** Not an argument parser, because commander prints refused arguments, and this one may have a password. */
export function databaseUrlOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.host !== '') return text
  throw new StartError('--database looks like postgres://user:password@host/name.', 2)
}

function readFiles(text: string): string {
  try {
    parseFilesUrl(text)
    return text
  } catch (error) {
    if (error instanceof FilesUrlError) throw new InvalidArgumentError(error.message)
    throw error
  }
}
