import { constants, setPriority } from 'node:os'
import { serveCalls, watchThisProcess } from '#server/processes/watch.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { faultsAsRefusals } from '#server/storage/sqlite/outcome.ts'
import { checkDatabase } from './check-database.ts'
import type { CheckMethods, CheckOptions } from './check-in-process.ts'

/** Entry point of the process that checks a database. */

const { options, started } = watchThisProcess<CheckOptions>()
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** In one transaction, so that counts and tables are consistent. */
const check = async () => {
  await using db = openDatabase(options.path, { readonly: true })
  return await db.transaction().execute((one) => checkDatabase(one, options.depth))
}

serveCalls<CheckMethods>(started, { check: () => faultsAsRefusals(check, options.path) })
