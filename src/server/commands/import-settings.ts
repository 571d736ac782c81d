import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import type { ImportRequest } from '#contract/import.ts'
import { dataFlag, flag, maxPixelsFlag, maxUploadFlag, parse, readFolder } from '#server/flags.ts'
import { StartError } from '#server/start-error.ts'

/** What a person asks of `tessera import`. */
export interface ImportSettings {
  request: ImportRequest
  /** Absolute. */
  dataFolder: string
  maxUploadBytes: number
  maxPixels: number
  /** That of a running server; null: it has none. */
  token: string | null
  /** Absolute; null: refusals are only summed up. */
  reportFile: string | null
}

interface Flags {
  boards: string
  board?: string
  link?: true
  dryRun?: true
  watch?: true
  report?: string
  data: string
  maxUpload: number
  maxPixels: number
  token?: string
}

const HELP = `
Folders in it become boards: "A/B" for B in A. Links are followed. Taken in are
PNG, JPEG, WebP, GIF, AVIF and TIFF, by their extension or, without one, by
their first bytes. Hidden names, videos, texts and other files are passed over.

The folder of an InvokeAI, with invokeai.yaml or databases in it, is known as
one, and so is what "tessera export" wrote: boards, stars, names and dates come
along. InvokeAI may run meanwhile.

What is there already is known by its bytes and not taken in twice, and what is
in the trash stays there. So the same command goes on where it was cut off, and
later brings in what is new.

Originals are never changed. With --link no space is taken: the picture in the
library and the original are one file, so a program that later writes into the
original changes both. Do not use it for files that you edit.

While Tessera runs with the same data folder, its server does the work, with its
own limits.

Exit codes: 0 all is well, 1 something was refused or failed, 2 wrong use, 130
stopped.`

/**
 * Reads the arguments of `tessera import`.
 *
 * @returns Text to print, where help was asked for.
 * @throws {StartError} They are wrong.
 */
export function readImportSettings(args: readonly string[]): ImportSettings | { text: string } {
  const command = new Command('tessera import')
    .description('Brings in a folder of images: a copy of each, or a link to it')
    .addArgument(new Argument('<folder>', 'where the images lie').argParser(readFolder))
    .option(
      '--boards <how>',
      '"folders": each becomes a board; "none": all to Assets; another name: all to that board',
      'folders',
    )
    .option('--board <name>', 'all to the board of this name, even where it is "none"')
    .option('--link', 'hard links instead of copies, where the disk can')
    .option('--dry-run', 'say what would be done, and do nothing; it takes as long')
    .option('--watch', 'go on and take in what arrives, until Ctrl+C')
    .option('--report <file>', 'write what was refused, and why, as lines of JSON')
    .addOption(dataFlag())
    .addOption(maxUploadFlag())
    .addOption(maxPixelsFlag())
    .addOption(flag('--token <value>', 'that of the running server, where it has one'))
    .addHelpText('after', HELP)
  const text = parse(command, args)
  if (text !== null) return { text }
  const [folder = ''] = command.args
  const flags = command.opts<Flags>()
  const isChosen = command.getOptionValueSource('boards') !== 'default'
  if (isChosen && flags.board !== undefined) {
    throw new StartError('--boards and --board exclude each other: give one of them.', 2)
  }
  if (flags.dryRun && flags.watch) {
    throw new StartError('--dry-run and --watch exclude each other: give one of them.', 2)
  }
  assertFolder(resolve(folder))
  return settingsOf(resolve(folder), flags)
}

/** Said at once, before a library is opened. */
function assertFolder(folder: string): void {
  const stats = statsOf(folder)
  if (stats === undefined) throw new StartError(`There is no folder ${folder}.`, 2)
  if (!stats.isDirectory()) throw new StartError(`${folder} is a file, not a folder.`, 2)
}

const statsOf = (folder: string): Stats | undefined => {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch (cause) {
    throw new StartError(`The folder ${folder} cannot be read.`, 2, { cause })
  }
}

function settingsOf(folder: string, flags: Flags): ImportSettings {
  return {
    request: {
      folder,
      ...boardsOf(flags),
      link: flags.link ?? false,
      watch: flags.watch ?? false,
      dry_run: flags.dryRun ?? false,
    },
    dataFolder: resolve(flags.data),
    maxUploadBytes: flags.maxUpload,
    maxPixels: flags.maxPixels,
    token: flags.token ?? null,
    reportFile: flags.report === undefined ? null : resolve(flags.report),
  }
}

function boardsOf({ boards, board }: Flags): Pick<ImportRequest, 'boards' | 'board_name'> {
  if (board === undefined && (boards === 'folders' || boards === 'none')) return { boards }
  const name = board ?? boards
  if (name.trim() === '') throw new StartError('A board needs a name.', 2)
  return { boards: 'one', board_name: name }
}
