import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { listImageFormats } from '#contract/image-formats.ts'
import type { ImportRequest } from '#contract/import.ts'
import { DEFAULT_MAX_VIDEO_BYTES } from '#contract/limits.ts'
import {
  dataFlag,
  flag,
  folderArgument,
  maxPixelsFlag,
  maxUploadFlag,
  parse,
} from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { addEnginesFlags, type Engines, enginesOf } from './library-place.ts'

export interface ImportSettings {
  request: ImportRequest
  /** Absolute. */
  dataFolder: string
  /** null: the library is in the data folder. */
  engines: Engines | null
  maxUploadBytes: number
  maxVideoBytes: number
  maxPixels: number
  /** Token of a running server; null: none. */
  token: string | null
  /** Absolute; null: refusals appear only in the summary. */
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
Folders become boards ("A/B" for B inside A). Links are followed.
${listImageFormats()} images and
MP4, MOV, WebM and MKV videos are imported, recognized by their extension or, if
they have none, by their first bytes. Hidden files are skipped. Texts and other
files are left out and counted.

The folder of an InvokeAI (with invokeai.yaml or its databases) and the result
of "tessera export" are recognized: boards, stars, names and dates are imported
too. InvokeAI can run during the import.

An image or video that is already in the library, or in its trash, is not imported again.
Run the same command again to continue a stopped import, or to add new images
later.

Originals are never changed. With --link the library uses hard links and takes
no extra space. Image and original are then the same file: a program that edits
the original changes both. Do not use it for files that you edit.

If Tessera runs with the same data folder, its server does the import, within
its own limits. With --database and --files, no server may use the database
otherwise, and --data is the folder for files until they are stored.

Exit codes: 0 success, 1 something was refused or failed, 2 wrong usage, 130
stopped.`

/** @throws {StartError} An argument is invalid. */
export function readImportSettings(args: readonly string[]): ImportSettings {
  const command = new Command('tessera import')
    .description('Imports a folder of images and videos, as copies or as hard links')
    .addArgument(folderArgument('the folder with the images and videos'))
    .option(
      '--boards <how>',
      '"folders": each becomes a board; "none": all to Assets; another name: all to that board',
      'folders',
    )
    .option('--board <name>', 'import all to the board of this name, even if it is "none"')
    .option('--link', 'hard links instead of copies, where possible')
    .option('--dry-run', 'show what would be imported, and import nothing; takes as long')
    .option('--watch', 'keep importing new files until Ctrl+C')
    .option('--report <file>', 'write refused files and the reasons to a file, as lines of JSON')
    .addOption(dataFlag())
    .addOption(maxUploadFlag())
    .addOption(maxPixelsFlag())
    .addOption(flag('--token <value>', 'the token of the running server, if it has one'))
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  const [folder = '']: string[] = command.processedArgs
  const flags = command.opts<Flags>()
  const isChosen = command.getOptionValueSource('boards') !== 'default'
  if (isChosen && flags.board !== undefined) {
    throw new StartError('--boards and --board cannot be combined. Use one of them.', 2)
  }
  if (flags.dryRun && flags.watch) {
    throw new StartError('--dry-run and --watch cannot be combined. Use one of them.', 2)
  }
  assertFolder(folder)
  const engines = enginesOf(command)
  if (engines !== null && flags.link) {
    throw new StartError('--link needs a data folder, not --files.', 2)
  }
  const isMaxUploadGiven = command.getOptionValueSource('maxUpload') !== 'default'
  const maxVideoBytes = isMaxUploadGiven ? flags.maxUpload : DEFAULT_MAX_VIDEO_BYTES
  return { ...settingsOf(folder, flags, engines), maxVideoBytes }
}

/** Throws for a missing folder at once, before a library is opened. */
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

function settingsOf(
  folder: string,
  flags: Flags,
  engines: Engines | null,
): Omit<ImportSettings, 'maxVideoBytes'> {
  return {
    request: {
      folder,
      ...boardsOf(flags),
      link: flags.link ?? false,
      watch: flags.watch ?? false,
      dry_run: flags.dryRun ?? false,
    },
    dataFolder: flags.data,
    engines,
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
