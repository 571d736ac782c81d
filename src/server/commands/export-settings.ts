import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { dataFlag, parse, readFolder } from '#server/flags.ts'

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
Boards become folders, "A/B" one in another, and images that are on no board go
into Assets. Each image is the file that was taken in, under the name it had
then, and beside it lies NAME.json: board, star, category, dates, metadata,
workflow. tessera-export.json at the top says what is known of the boards.
"tessera import" brings all of it back. What is in the trash, and intermediate
images, are left out.

The folder must be empty, or hold an earlier export: what lies there already is
left as it is, and nothing is deleted. So the same command goes on where it was
cut off, and later adds what is new.

With --link no space is taken: the picture in the library and the exported one
are one file, so a program that later writes into it changes both. Do not use it
for files that you edit.

Tessera may run meanwhile with the same data folder.

Exit codes: 0 all is well, 1 something failed, 2 wrong use, 130 stopped.`

/**
 * Reads the arguments of `tessera export`.
 *
 * @returns Text to print, where help was asked for.
 * @throws {StartError} They are wrong.
 */
export function readExportSettings(args: readonly string[]): ExportSettings | { text: string } {
  const command = new Command('tessera export')
    .description('Writes a library into a folder, for other programs and for safe keeping')
    .addArgument(new Argument('<folder>', 'where it goes; made if missing').argParser(readFolder))
    .option(
      '--board <name>',
      'only this board, "Assets" for images on none; may be repeated',
      (name: string, names: readonly string[] = []) => [...names, name],
    )
    .option('--link', 'hard links instead of copies, where the disk can')
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
