import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Exists in a data folder instead of `tessera.db` while a migration into it is not finished. */
export const UNFINISHED_DATABASE = 'unfinished-migration.db'

export const hasUnfinishedMigration = (dataFolder: string): boolean =>
  existsSync(join(dataFolder, UNFINISHED_DATABASE))
