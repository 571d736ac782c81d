import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  DEFAULT_QUALITY,
  type DownloadFormat,
  longestSideRange,
  qualityRange,
} from '#contract/downloads/download-operations.ts'
import { parseNamePattern, patternFaultText } from '#contract/downloads/name-pattern.ts'
import { DEFAULT_COLUMNS, MAX_COLUMNS, type SheetFormat } from '#contract/downloads/sheet-layout.ts'
import type { ExportNames } from '#server/core/exports/export-layout.ts'
import type { PictureForm } from '#server/core/images/picture-ports.ts'
import {
  dataFlag,
  folderArgument,
  maxPixelsFlag,
  parse,
  readNumberIn,
} from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { addEnginesFlags, type Engines, enginesOf } from './library-place.ts'

/** Target and form of an export. Paths are absolute. */
export type ExportTarget =
  | { kind: 'originals'; folder: string; names: ExportNames | null; hasXmp: boolean; link: boolean }
  | {
      kind: 'converted'
      folder: string
      names: ExportNames | null
      hasXmp: boolean
      form: PictureForm
    }
  | { kind: 'sheet'; file: string; format: SheetFormat; columns: number; hasNames: boolean }

export interface ExportSettings {
  target: ExportTarget
  dataFolder: string
  /** null: the library is in the data folder. */
  engines: Engines | null
  /** Board names; null: everything. */
  boards: string[] | null
  maxPixels: number
}

interface Flags {
  board?: string[]
  names?: string
  xmp?: true
  link?: true
  format?: DownloadFormat
  quality?: number
  longestSide?: number
  withoutMetadata?: true
  contactSheet?: string
  columns?: number
  captions: boolean
  maxPixels: number
  data: string
}

const HELP = `
Boards become folders ("A/B" becomes B inside A). Images without a board go to
the folder Assets. Each image is the original file under its original name. The
file NAME.json next to it holds board, star, category, dates, metadata and
workflow; tessera-export.json at the top describes the boards. "tessera import"
reads all of it. Images in the trash and intermediate images are not exported.

The folder must be empty or contain an earlier export. Existing files are kept,
and nothing is deleted. Run the same command again to continue a stopped export,
or to add new images later.

--names names files by a pattern, such as "{date}_{model}_{seed}_{name}". "/"
separates folders: "{board}/{year}/{name}". Fields: name, board, index, date,
time, year, month, day, generator, model, seed, steps, cfg, sampler, width,
height, rating, id. Equal names get a part of the image's permanent name. If the
name of an image changes between two exports, the image is written again, and
its earlier file stays.

--xmp also writes NAME.xmp with rating and tags of each image that has some, for
photo programs. Files that such a program changed are kept.

With --link the export uses hard links and takes no extra space. Image and
export are then the same file: a program that edits one of them changes both. Do
not use it for files that you edit.

--format, --longest-side and --without-metadata write converted copies, for
example for a web page or for other people. They have no NAME.json, and
"tessera import" adds them as new images: to move or keep a library, export it
without these options. Videos and animated images keep their format and size,
and the summary names them. Prompts in PNG files are not taken over into other
formats. --without-metadata removes prompts, workflows, EXIF,
XMP and texts hidden in the pixels, and reads each result again. Files where
this fails, and all videos, are left out and named.

--contact-sheet draws thumbnails with file names on A4 pages (.pdf, at most
1,000 images) or on one picture (.png, at most 200), and exports nothing else.

Tessera can run with the same data folder or database during the export.

Exit codes: 0 success, 1 something failed or was left out, 2 wrong usage, 130
stopped.`

/** @throws {StartError} An argument is invalid. */
export function readExportSettings(args: readonly string[]): ExportSettings {
  const command = new Command('tessera export')
    .description('Exports a library to a folder, for other programs or as an archive')
    .addArgument(folderArgument('the target folder; created if missing', '[folder]'))
    .option(
      '--board <name>',
      'only this board, "Assets" for images without a board; may be repeated',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--names <pattern>', 'a pattern for the names of the files')
    .option('--xmp', 'also XMP files with ratings and tags')
    .option('--link', 'hard links instead of copies, where possible')
    .addOption(new Option('--format <format>', 'jpeg, webp, avif or png').argParser(readFormat))
    .addOption(
      new Option(
        '--quality <number>',
        `of JPEG, WebP and AVIF (default: ${DEFAULT_QUALITY})`,
      ).argParser(readNumberIn(qualityRange)),
    )
    .addOption(
      new Option('--longest-side <pixels>', 'reduce larger images').argParser(
        readNumberIn(longestSideRange),
      ),
    )
    .option('--without-metadata', 'remove prompts, EXIF, XMP and hidden texts')
    .option('--contact-sheet <file>', 'thumbnails in a .pdf or .png file instead of a folder')
    .addOption(
      new Option(
        '--columns <number>',
        `of the contact sheet (default: ${DEFAULT_COLUMNS})`,
      ).argParser(readNumberIn({ minimum: 1, maximum: MAX_COLUMNS })),
    )
    .option('--no-captions', 'a contact sheet without file names')
    .addOption(maxPixelsFlag('converted'))
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  const [folder]: (string | undefined)[] = command.processedArgs
  const flags = command.opts<Flags>()
  const engines = enginesOf(command)
  if (engines !== null && flags.link)
    throw new StartError('--link needs a data folder, not --files.', 2)
  const target =
    flags.contactSheet === undefined
      ? folderTarget(folder, flags)
      : sheetTarget(folder, flags.contactSheet, flags)
  // The environment sets it for all commands.
  if (target.kind === 'originals' && command.getOptionValueSource('maxPixels') === 'cli') {
    throw new StartError('--max-pixels needs converted files or --contact-sheet.', 2)
  }
  const { data: dataFolder, board: boards = null, maxPixels } = flags
  return { target, dataFolder, engines, boards, maxPixels }
}

const formats: Readonly<Record<string, DownloadFormat>> = {
  ...{ jpeg: 'jpeg', jpg: 'jpeg', webp: 'webp', avif: 'avif', png: 'png' },
}

function readFormat(text: string): DownloadFormat {
  const format = formats[text.toLowerCase()]
  if (format !== undefined) return format
  throw new InvalidArgumentError('It is jpeg, webp, avif or png.')
}

/** @throws {StartError} An option has no effect, or two of them contradict each other. */
function folderTarget(folder: string | undefined, flags: Flags): ExportTarget {
  if (folder === undefined) {
    throw new StartError('Give a folder, or --contact-sheet with a file (see --help).', 2)
  }
  for (const [name, isGiven] of [
    ['--columns', flags.columns !== undefined],
    ['--no-captions', !flags.captions],
  ] as const) {
    if (isGiven) throw new StartError(`${name} needs --contact-sheet.`, 2)
  }
  const common = { folder, names: exportNames(flags.names), hasXmp: flags.xmp ?? false }
  const form = formIn(flags)
  if (form === null) return { kind: 'originals', ...common, link: flags.link ?? false }
  if (flags.link) {
    throw notCombined('--link', givenForm(flags), 'Links are the originals.')
  }
  if (flags.xmp && flags.withoutMetadata) {
    throw notCombined('--xmp', '--without-metadata', 'XMP files are metadata.')
  }
  return { kind: 'converted', ...common, form }
}

const notCombined = (one: string, other: string, reason: string): StartError =>
  new StartError(`${one} and ${other} cannot be combined. ${reason} Leave one of them out.`, 2)

const givenForm = ({ format, longestSide }: Flags): string => {
  if (format !== undefined) return '--format'
  return longestSide === undefined ? '--without-metadata' : '--longest-side'
}

/** Returns the form of converted files. null: the originals. */
function formIn(flags: Flags): PictureForm | null {
  const { format = 'original', quality, longestSide = null, withoutMetadata = false } = flags
  if (quality !== undefined && format === 'png') {
    throw new StartError('PNG has no quality. Leave out --quality, or choose another --format.', 2)
  }
  if (quality !== undefined && format === 'original' && longestSide === null) {
    throw new StartError('--quality needs --format jpeg, webp or avif, or --longest-side.', 2)
  }
  if (format === 'original' && longestSide === null && !withoutMetadata) return null
  return {
    ...{ format, quality: quality ?? DEFAULT_QUALITY },
    ...{ longestSidePx: longestSide, withoutMetadata },
  }
}

/** @throws {StartError} The pattern has a mistake. */
function exportNames(text: string | undefined): ExportNames | null {
  if (text === undefined) return null
  const { pattern, fault } = parseNamePattern(text)
  if (fault !== null) throw new StartError(`--names: ${patternFaultText(fault)}`, 2)
  return { pattern, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** @throws {StartError} An option has no effect, or the file is neither PDF nor PNG. */
function sheetTarget(folder: string | undefined, file: string, flags: Flags): ExportTarget {
  const others = {
    '--names': flags.names,
    '--xmp': flags.xmp,
    '--link': flags.link,
    '--format': flags.format,
    '--quality': flags.quality,
    '--longest-side': flags.longestSide,
    '--without-metadata': flags.withoutMetadata,
    'a folder': folder,
  }
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) continue
    throw notCombined('--contact-sheet', name, 'A contact sheet is a single file.')
  }
  const [, format] = /\.(pdf|png)$/i.exec(file) ?? []
  if (format === undefined) {
    throw new StartError(`--contact-sheet needs a name that ends in .pdf or .png, not ${file}.`, 2)
  }
  return {
    kind: 'sheet',
    file: resolve(file),
    format: format.toLowerCase() as SheetFormat,
    columns: flags.columns ?? DEFAULT_COLUMNS,
    hasNames: flags.captions,
  }
}
