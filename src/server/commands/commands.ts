import { STOPPED } from './command-line.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** A command `tessera NAME …`. Its module is loaded only when it runs. */
interface TesseraCommand {
  summary: string
  /** Argument shown in the help. Default: `FOLDER`. */
  argument?: string
  /** Loads the command: a function of the arguments after its name. Returns the exit code or throws a `StartError`. */
  load(): Promise<(args: readonly string[]) => Promise<number>>
}

/** All commands except the server, which is `tessera` without a name. */
export const commands: Readonly<Record<string, TesseraCommand>> = {
  import: {
    summary: 'import a folder of images and videos',
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
  migrate: {
    summary: 'move the library to PostgreSQL and S3, or back',
    argument: '',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  doctor: {
    summary: 'check a library and repair what can be repaired',
    argument: '',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
}

/** Loads a command. Until it handles signals itself, a signal ends the process with a message. */
export const loadCommand = async (command: TesseraCommand) => {
  const stop = () => {
    process.stderr.write('Stopped before anything was changed. Run the same command again.\n')
    process.exit(STOPPED)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await command.load()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** Text appended to the server's help. */
export const commandsHelp = `\nCommands (each has a --help):\n${Object.entries(commands)
  .map(([name, { summary, argument = 'FOLDER' }]) => `  ${name} ${argument}`.padEnd(20) + summary)
  .join('\n')}`
