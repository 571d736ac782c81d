import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { LibraryChanges } from '#contract/server/change-operations.ts'
import type {
  ChangedRecords,
  LibraryChange,
  LoggedChange,
} from '#server/core/changes/change-ports.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

/** Number of entries that are kept. A client that is further behind reads the library again. */
const MAX_ENTRIES = 20_000

/** Time for which entries are kept, in milliseconds: 30 days. */
const MAX_AGE_MS = 30 * 24 * 3_600_000

/** Entries are deleted in parts, so that most units of work delete none. */
const TRIMMED_AT_ONCE = 100

/** Entries with more images name only their boards: a client reads a view again faster than so many images. */
const MAX_NAMES = 200

/** The state of a library without entries. */
const NO_CHANGES = '0-'

/**
 * The state after an entry: its number, and its mark. The marks are random, so that a state of another library with the
 * same numbers, such as before a restore, is recognized.
 */
const stateOf = ({ seq, mark }: { seq: number; mark: string }): string => `${seq}-${mark}`

const parseState = (state: string): { seq: number; mark: string } | null => {
  const [, seq, mark] = /^(\d{1,15})-([0-9a-f]{0,16})$/.exec(state) ?? []
  return seq === undefined || mark === undefined ? null : { seq: Number(seq), mark }
}

/**
 * Adds an entry for the changes of a unit of work. Call it at the end of its transaction.
 *
 * @returns null if nothing changed.
 */
export const logChange = async (
  db: Db,
  change: LibraryChange,
  { now, origin }: { now: number; origin: string | null },
): Promise<LoggedChange | null> => {
  const listed = listedPart(change)
  if (listed === null) return null
  // The last group of a UUID is random, and Node makes many UUIDs at once.
  const mark = randomUUID().slice(-12)
  // One statement as text: building it costs a tenth of a small change otherwise.
  const { rows } = await sql<{ seq: number; since: string }>`
    INSERT INTO library_changes (mark, since, at, origin, change) VALUES (
      ${mark},
      coalesce((SELECT seq || '-' || mark FROM library_changes ORDER BY seq DESC LIMIT 1), ${NO_CHANGES}),
      ${now}, ${origin}, ${JSON.stringify(listed)})
    RETURNING seq, since`.execute(db)
  const [entry] = rows
  if (entry === undefined) throw new Error('The change log took no entry.')
  const { seq, since } = entry
  if (seq % TRIMMED_AT_ONCE === 0)
    await db
      .deleteFrom('library_changes')
      .where((row) =>
        row.or([row('seq', '<=', seq - MAX_ENTRIES), row('at', '<', now - MAX_AGE_MS)]),
      )
      .execute()
  const { images = {}, boards = {} } = change
  return {
    since,
    state: stateOf({ seq, mark }),
    origin,
    images: sizeOf(images),
    boards: sizeOf(boards),
  }
}

/** Leaves out names of which there are too many. null: nothing changed. */
const listedPart = ({
  images = {},
  boards = {},
  unlisted,
}: LibraryChange): LibraryChange | null => {
  if (unlisted === 'all') return { unlisted }
  const count = sizeOf(images)
  if (count + sizeOf(boards) === 0 && unlisted === undefined) return null
  if (count <= MAX_NAMES) return { images, boards, ...(unlisted && { unlisted }) }
  const inBoards = [...(boards.created ?? []), ...(boards.updated ?? []), ...(unlisted ?? [])]
  return inBoards.length === 0 ? { unlisted: 'all' } : { boards, unlisted: [...new Set(inBoards)] }
}

const sizeOf = ({ created = [], updated = [], destroyed = [] }: ChangedRecords): number =>
  created.length + updated.length + destroyed.length

const lastEntry = (db: Db) =>
  db
    .selectFrom('library_changes')
    .select(['seq', 'mark', 'at'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()

export const currentPoint: Read<'changes.current'> = async (db) => {
  const last = await lastEntry(db)
  return last === undefined
    ? { state: NO_CHANGES, changedAt: null }
    : { state: stateOf(last), changedAt: last.at }
}

export const changesSince: Read<'changes.since'> = async (db, state, limit, exceptOrigin) => {
  const known = parseState(state)
  if (known === null || !(await isKnown(db, state, known))) return null
  const rows = await db
    .selectFrom('library_changes')
    .select(['seq', 'mark', 'origin', 'change'])
    .where('seq', '>', known.seq)
    .orderBy('seq')
    .limit(limit + 1)
    .execute()
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const listed = entries.filter(({ origin }) => exceptOrigin === null || origin !== exceptOrigin)
  return {
    old_state: state,
    new_state: last === undefined ? state : stateOf(last),
    has_more: rows.length > limit,
    ...mergeChanges(listed.map(({ change }) => JSON.parse(change) as LibraryChange)),
  }
}

/** True if all entries after a state are still in the log: its own entry is, or the first one follows it. */
const isKnown = async (
  db: Db,
  state: string,
  { seq, mark }: { seq: number; mark: string },
): Promise<boolean> => {
  const entries = db.selectFrom('library_changes').select(['mark', 'since'])
  const own = await entries.where('seq', '=', seq).executeTakeFirst()
  if (own !== undefined) return own.mark === mark
  const first = await entries.orderBy('seq').limit(1).executeTakeFirst()
  return (first?.since ?? NO_CHANGES) === state
}

/**
 * Joins changes in their order. A record that was created and destroyed in between counts as destroyed, because a client
 * may have read it meanwhile.
 */
export const mergeChanges = (
  changes: readonly LibraryChange[],
): Omit<LibraryChanges, 'old_state' | 'new_state' | 'has_more' | 'idle_ms'> => {
  const unlisted = new Set<string>()
  for (const change of changes)
    if (change.unlisted !== 'all') for (const board of change.unlisted ?? []) unlisted.add(board)
  return {
    images: mergeRecords(changes.map(({ images = {} }) => images)),
    boards: mergeRecords(changes.map(({ boards = {} }) => boards)),
    unlisted_boards: [...unlisted],
    is_everything_unlisted: changes.some((change) => change.unlisted === 'all'),
  }
}

const mergeRecords = (all: readonly ChangedRecords[]) => {
  const kinds = new Map<string, 'created' | 'updated' | 'destroyed'>()
  for (const { created = [], updated = [], destroyed = [] } of all) {
    for (const name of created)
      kinds.set(name, kinds.get(name) === 'destroyed' ? 'updated' : 'created')
    for (const name of updated) if (!kinds.has(name)) kinds.set(name, 'updated')
    for (const name of destroyed) kinds.set(name, 'destroyed')
  }
  const of = (kind: string) => [...kinds].flatMap(([name, found]) => (found === kind ? name : []))
  return { created: of('created'), updated: of('updated'), destroyed: of('destroyed') }
}
