/** What `tessera NAME …` runs, each in a file of its own, and loaded only when it is called for. */
interface TesseraCommand {
  /** One line, for help. */
  summary: string
  /** Shown in help behind the name. Default: `FOLDER`. */
  argument?: string
  /** Gives the command: it takes the arguments behind its name and answers the exit code. */
  load(): Promise<(args: readonly string[]) => Promise<number>>
}

/** Beside them there is the server, which has no name: `tessera` with its flags. */
export const commands: Readonly<Record<string, TesseraCommand>> = {
  import: {
    summary: 'import a folder of images',
    load: async () => (await import('./import.ts')).runImport,
  },
  export: {
    summary: 'export boards, images and metadata to a folder',
    load: async () => (await import('./export.ts')).runExport,
  },
  backup: {
    summary: 'back up the library to a folder; later backups copy only new files',
    load: async () => (await import('./backup.ts')).runBackup,
  },
  restore: {
    summary: 'restore a backup',
    load: async () => (await import('./restore.ts')).runRestore,
  },
  doctor: {
    summary: 'check a library and repair what can be repaired',
    argument: '',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
}

/** For the end of the server's own help. */
export const commandsHelp = `\nCommands (each has a --help):\n${Object.entries(commands)
  .map(([name, { summary, argument = 'FOLDER' }]) => `  ${name} ${argument}`.padEnd(20) + summary)
  .join('\n')}`
