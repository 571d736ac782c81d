import { tagKey } from '#contract/search/tag-names.ts'

/** The aspects of a board that one field of its record contains. */
export const BOARD_ASPECTS = [
  'board_name',
  'board_archived',
  'board_visibility',
  'board_cover',
  'board_pinned',
  'board_description',
  'board_position',
] as const
export type BoardAspect = (typeof BOARD_ASPECTS)[number]

/** The aspect of one tag: true for an image that has it. */
export type TagAspect = `tag:${string}`

export const tagAspectOf = (tag: string): TagAspect => `tag:${tag}`

export const isTagAspect = (aspect: string): aspect is TagAspect => aspect.startsWith('tag:')

export const tagOfAspect = (aspect: TagAspect): string => aspect.slice('tag:'.length)

/** True for changes of the same property. The spelling of a tag makes no difference: `cat` and `Cat` are one tag. */
export const isSameAspect = (one: Aspect, other: Aspect): boolean =>
  one === other ||
  (isTagAspect(one) &&
    isTagAspect(other) &&
    tagKey(tagOfAspect(one)) === tagKey(tagOfAspect(other)))

/**
 * The property of an image, board or trash that a change sets. The `deleted` aspects replace the `trashed` ones on
 * servers without a trash. `trashed` is true, false for the previous board, or the ID of the board that an image is
 * restored to. Each `trash_emptied` change has a new unique target.
 */
export type StepAspect =
  | 'starred'
  | 'rating'
  | TagAspect
  | 'board'
  | 'trashed'
  | 'deleted'
  | BoardAspect
  | 'board_trashed'
  | 'board_deleted'
  | 'trash_emptied'

/**
 * Groups of duplicates. Their targets are those of `duplicate-requests.ts`. True: the group is resolved, or dismissed.
 * False: it is not any more.
 */
export type DuplicatesAspect = 'duplicates_resolved' | 'duplicates_dismissed'

export const isOfDuplicates = (aspect: string): aspect is DuplicatesAspect =>
  aspect.startsWith('duplicates_')

export type Aspect = StepAspect | DuplicatesAspect

/** The value of an aspect: a boolean, a rating, a board ID, a visibility, the name of a cover image, a position or a text. */
export type Value = string | number | boolean

/** The images that left a deleted board: they are in the trash, or uncategorized. */
export interface BoardImages {
  readonly names: readonly string[]
  readonly areTrashed: boolean
}

/** The conditions and details of a change by Undo or Redo. */
export interface UndoDetails {
  /** The change is only for targets that still have this value. The others are refused. */
  readonly onlyIf?: Value | undefined
  /** The board is deleted only if it has no more images than this. */
  readonly maxImages?: number | undefined
  /** Given `maxImages`, the board is deleted only if it still has this name. */
  readonly boardName?: string | undefined
  /** Given `maxImages`, the board is deleted only if it still has this description. */
  readonly description?: string | undefined
  /** The images that return to a restored board. */
  readonly boardImages?: BoardImages | undefined
}

/** A change that the user requested, for images or boards with the same previous value. */
export interface Change extends UndoDetails {
  readonly aspect: Aspect
  /** Image names or board IDs, without duplicates. */
  readonly targets: readonly string[]
  readonly wanted: Value
  /** The current value of all targets on the server; undefined if unknown. */
  readonly before: Value | undefined
}

/** A pending change: the server has not confirmed it yet. */
export interface Entry extends Change {
  /** The user actions that requested it. Several steps can merge into one entry. */
  readonly steps: readonly number[]
  /** The time before which it is not sent, in milliseconds since 1970. Until then Undo needs no request. */
  readonly heldUntil: number
  /** True after the server was asked for `before`. */
  readonly isLookedUp?: boolean
}

/** The pending changes. Immutable. In each list a target is in at most one entry per aspect. */
export interface Outbox {
  /** Changes to send, oldest first. */
  readonly waiting: readonly Entry[]
  readonly sending: readonly Entry[]
}

export type Settled = Pick<Entry, 'steps' | 'targets'>

/** Entries that fit into one request: they have the same aspect and wanted value. */
export interface Request {
  readonly aspect: Aspect
  readonly wanted: Value
  readonly entries: readonly Entry[]
}

export const emptyOutbox: Outbox = { waiting: [], sending: [] }

export const targetsOf = (entries: readonly Settled[]): string[] =>
  entries.flatMap(({ targets }) => targets)

export const countTargets = (entries: readonly Pick<Entry, 'targets'>[]): number =>
  entries.reduce((sum, { targets }) => sum + targets.length, 0)

/** Splits an entry into the targets that are in a set and the others. Empty parts are omitted. */
function splitEntry(
  entry: Entry,
  isMeant: ReadonlySet<string>,
): { inside: Entry[]; outside: Entry[] } {
  const inside = entry.targets.filter((target) => isMeant.has(target))
  if (inside.length === 0) return { inside: [], outside: [entry] }
  if (inside.length === entry.targets.length) return { inside: [entry], outside: [] }
  const outside = entry.targets.filter((target) => !isMeant.has(target))
  return { inside: [{ ...entry, targets: inside }], outside: [{ ...entry, targets: outside }] }
}

/** Replaces the given targets in the entries of one aspect by the entries that `replace` returns. */
const replaceTargets = (
  entries: readonly Entry[],
  { aspect, targets }: Pick<Change, 'aspect' | 'targets'>,
  replace: (part: Entry) => readonly Entry[],
): readonly Entry[] => {
  if (!entries.some((entry) => isSameAspect(entry.aspect, aspect))) return entries
  const isMeant = new Set(targets)
  return entries.flatMap((entry) => {
    if (!isSameAspect(entry.aspect, aspect)) return [entry]
    const { inside, outside } = splitEntry(entry, isMeant)
    return [...outside, ...inside.flatMap(replace)]
  })
}

/** Returns the parts of entries that contain the targets of a change, and the targets that no entry contains. */
function findTargets(entries: readonly Entry[], change: Pick<Change, 'aspect' | 'targets'>) {
  const parts: Entry[] = []
  replaceTargets(entries, change, (part) => {
    parts.push(part)
    return []
  })
  if (parts.length === 0) return { parts, missing: change.targets }
  const isFound = new Set(targetsOf(parts))
  return { parts, missing: change.targets.filter((target) => !isFound.has(target)) }
}

/**
 * Adds the changes of one step. A later change of a target replaces an earlier one, and a change to the value that the
 * server already has is dropped: starring and unstarring an image sends nothing.
 *
 * @param changes - Changes of different targets.
 * @returns Also the dropped targets in `settled`.
 */
export function addChanges(
  outbox: Outbox,
  changes: readonly Change[],
  step: number,
  heldUntil = 0,
): { outbox: Outbox; settled: Settled[] } {
  let { waiting, sending } = outbox
  const fresh: Entry[] = []
  const settled: Settled[] = []
  /** Returns the entry unless the server already has the wanted value, or will have it after the active request. */
  const toDo = (entry: Entry): Entry[] => {
    if (entry.wanted !== entry.before) return [entry]
    const active = findTargets(sending, entry)
    sending = replaceTargets(sending, entry, (part) => [
      { ...part, steps: [...part.steps, ...entry.steps] },
    ])
    if (active.missing.length > 0) settled.push({ ...entry, targets: active.missing })
    return []
  }
  for (const change of changes) {
    const entry: Entry = { ...change, steps: [step], heldUntil }
    const isNew = findTargets(waiting, entry).missing
    waiting = replaceTargets(waiting, entry, ({ targets, before, steps, onlyIf }) =>
      toDo({
        ...entry,
        targets,
        before,
        steps: [...steps, step],
        // The targets still have the value that the unsent change expects.
        onlyIf: entry.onlyIf === undefined ? undefined : onlyIf,
      }),
    )
    const { parts, missing } = findTargets(sending, { ...entry, targets: isNew })
    const later = parts.map(({ targets, wanted }) => ({ ...entry, targets, before: wanted }))
    const rest = missing.length === 0 ? [] : [{ ...entry, targets: missing }]
    fresh.push(...[...later, ...rest].flatMap(toDo))
  }
  return { outbox: { waiting: [...waiting, ...fresh], sending }, settled }
}

export const startRequest = ({ waiting }: Outbox, { entries }: Request): Outbox => ({
  waiting: waiting.filter((entry) => !entries.includes(entry)),
  sending: entries,
})

/**
 * Completes the active request. Refused targets keep their previous value, so later changes of them get it as `before`.
 *
 * @returns The entries of the request, with all their steps.
 */
export function applyAnswer(
  { waiting, sending }: Outbox,
  refusedTargets: ReadonlySet<string>,
): { outbox: Outbox; entries: readonly Entry[] } {
  let then = waiting
  for (const entry of refusedTargets.size === 0 ? [] : sending) {
    for (const refused of splitEntry(entry, refusedTargets).inside) {
      then = replaceTargets(then, refused, (later) => [{ ...later, before: refused.before }])
    }
  }
  return { outbox: { waiting: then, sending: [] }, entries: sending }
}

/**
 * Puts a request without an answer back at the front of the queue. The server may or may not have applied it, but all
 * requests are idempotent. Targets that were changed again meanwhile are sent with the later value.
 */
export function requeueUnanswered({ waiting, sending }: Outbox): Outbox {
  let rest = waiting
  const again = sending.flatMap((entry): Entry[] => {
    const { parts, missing } = findTargets(rest, entry)
    rest = replaceTargets(rest, entry, () => [])
    const changed = parts.map((later) => ({ ...later, steps: [...entry.steps, ...later.steps] }))
    return missing.length === 0 ? changed : [...changed, { ...entry, targets: missing }]
  })
  const unknown = again.map((entry) => ({ ...entry, before: undefined }))
  return { waiting: [...unknown, ...rest], sending: [] }
}

export function withdrawChanges(
  { waiting, sending }: Outbox,
  targets: Pick<Change, 'aspect' | 'targets'>,
): { outbox: Outbox; withdrawn: Entry[] } {
  const { parts } = findTargets(waiting, targets)
  return {
    outbox: { waiting: replaceTargets(waiting, targets, () => []), sending },
    withdrawn: parts,
  }
}

/**
 * Sets the previous values that the server returned. Drops changes to the value that the server already has.
 *
 * @param asked - Entries of `waiting`.
 * @returns Also the dropped targets in `settled`, and the returned values in `learned`.
 */
export function applyLookup(
  { waiting, sending }: Outbox,
  asked: readonly Entry[],
  values: ReadonlyMap<string, Value>,
): { outbox: Outbox; settled: Settled[]; learned: (Settled & { value: Value })[] } {
  const settled: Settled[] = []
  const learned: (Settled & { value: Value })[] = []
  const remaining = waiting.flatMap((entry): Entry[] => {
    if (!asked.includes(entry)) return [entry]
    const groups = Map.groupBy(entry.targets, (target) => values.get(target))
    return [...groups].flatMap(([value, targets]): Entry[] => {
      const part = { ...entry, targets, before: value, isLookedUp: true }
      if (value !== undefined) learned.push({ steps: entry.steps, targets, value })
      if (value !== entry.wanted) return [part]
      settled.push(part)
      return []
    })
  })
  return { outbox: { waiting: remaining, sending }, settled, learned }
}
