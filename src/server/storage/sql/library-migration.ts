import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that can report its completed share, from 0 to 1. */
export interface LibraryMigration extends Migration {
  up(db: Kysely<unknown>, onShare?: (share: number) => void): Promise<void>
}

/** A step of an update of an older library. */
export interface MigrationProgress {
  /** Starts with 1. */
  step: number
  steps: number
  /** The completed share of the step, from 0 to 1. */
  share: number
}

const REPORT_EVERY_MS = 2_000

/** Returns the migrations, which then report the start of each step and, every two seconds, its share. */
export const reportingMigrations = (
  migrations: Readonly<Record<string, LibraryMigration>>,
  applied: readonly string[],
  onProgress: (progress: MigrationProgress) => void,
): Record<string, Migration> => {
  const pending = Object.keys(migrations).filter((name) => !applied.includes(name))
  let reportedAt = 0
  const report = (name: string, share: number) => {
    const now = performance.now()
    if (share > 0 && now - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now
    onProgress({ step: pending.indexOf(name) + 1, steps: pending.length, share })
  }
  const reporting = ([name, { up }]: [string, LibraryMigration]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        report(name, 0)
        await up(db, (share) => report(name, share))
      },
    },
  ]
  return Object.fromEntries(Object.entries(migrations).map(reporting))
}
