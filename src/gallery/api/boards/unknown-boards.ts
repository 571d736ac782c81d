import { queryClient } from '#gallery/api/connection/connection.ts'
import { boardQueries } from './board-queries.ts'

/** Boards that were asked for once: one that is not among the others then is gone. */
const asked = new Set<string>()

/** Asks for the boards where one was named that the page does not know: another client has made it. */
export function boardsNamed(boardIds: Iterable<string>): void {
  const boards = queryClient.getQueryData(boardQueries.list().queryKey)
  if (boards === undefined) return
  const known = new Set(boards.map(({ board_id }) => board_id))
  const unknown = [...boardIds].filter((id) => id !== 'none' && !known.has(id) && !asked.has(id))
  if (unknown.length === 0) return
  for (const id of unknown) asked.add(id)
  void queryClient.invalidateQueries({ queryKey: boardQueries.list().queryKey })
}
