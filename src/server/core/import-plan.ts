import type { ImportRequest } from '#contract/import.ts'
import { cleanBoardName } from './import-boards.ts'
import type { ImportPlan } from './imports-under-way.ts'
import { Refusal } from './refusal.ts'

/**
 * What is asked for, with nothing left open.
 *
 * @throws {Refusal} `invalid_import`.
 */
export const wishOf = (
  request: ImportRequest,
): Pick<ImportPlan, 'boards' | 'board_name' | 'link' | 'watch' | 'dry_run'> => {
  const { boards = 'folders', link = false, watch = false, dry_run = false } = request
  const board_name = boards === 'one' ? cleanBoardName(request.board_name ?? '') : null
  if (board_name === '') throw new Refusal('invalid_import')
  if (watch && dry_run) {
    throw new Refusal('invalid_import', 'A preview of an import cannot watch the folder.')
  }
  return { boards, board_name, link, watch, dry_run }
}
