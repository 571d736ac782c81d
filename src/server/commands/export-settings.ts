import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { dataFlag, parse, readFolder } from '#server/start/flags.ts'

/** What a person asks of `tessera export`. */
export interface ExportSettings {
  /** Absolute, as the next one. */
  folder: string
  dataFolder: string
  /** Names; null: everything. */
  boards: string[] | null
  link: boolean
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

With --link the export uses hard links and takes no extra space. Image and
export are then the same file: a program that edits one of them changes both. Do
not use it for files that you edit.

Tessera can run with the same data folder during the export.

Exit codes: 0 success, 1 something failed, 2 wrong usage, 130 stopped.`

/**
 * Reads the arguments of `tessera export`.
 *
 * @returns Text to print, where help was asked for.
 * @throws {StartError} They are wrong.
 */
export function readExportSettings(args: readonly string[]): ExportSettings | { text: string } {
  const command = new Command('tessera export')
    .description('Exports a library to a folder, for other programs or as an archive')
    .addArgument(
      new Argument('<folder>', 'the target folder; created if missing').argParser(readFolder),
    )
    .option(
      '--board <name>',
      'only this board, "Assets" for images without a board; may be repeated',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--link', 'hard links instead of copies, where possible')
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  const text = parse(command, args)
  if (text !== null) return { text }
  const [folder = ''] = command.args
  const { board, link, data } = command.opts<{ board?: string[]; link?: true; data: string }>()
  return {
    folder: resolve(folder),
    dataFolder: resolve(data),
    boards: board ?? null,
    link: link ?? false,
  }
}
