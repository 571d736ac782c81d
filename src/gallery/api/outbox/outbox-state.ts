/**
 * What about a target can be changed: of an image its star, its board and whether it is in the trash; of a
 * board its name and whether it is in the trash. Where there is no trash, things are deleted. Of the trash,
 * whether it was emptied: each emptying is a target of its own.
 */
export type Aspect =
  | 'starred'
  | 'board'
  | 'trashed'
  | 'deleted'
  | 'board_name'
  | 'board_trashed'
  | 'board_deleted'
  | 'trash_emptied'

/** A star is true or false; a board its id; a name a name. */
export type Value = string | boolean

/** What a person wants of some images or boards that are alike. */
export interface Change {
  readonly aspect: Aspect
  /** Images' names or boards' ids, each once. */
  readonly targets: readonly string[]
  readonly wanted: Value
  /** What the server has of all of them now; undefined where that is not known. */
  readonly before: Value | undefined
}

/** A change on its way, and the steps of the person that it belongs to. */
export interface Entry extends Change {
  readonly steps: readonly number[]
  /** Not sent before that time, in milliseconds since 1970: it may still be taken back. */
  readonly heldUntil: number
  /** The server was asked what it has, and `before` is what it said. */
  readonly isLookedUp?: boolean
}

/**
 * What has not been confirmed by the server yet. Immutable. Very many targets are few entries; in either
 * list a target is in at most one entry of an aspect.
 */
export interface Outbox {
  /** In the order in which they came. */
  readonly waiting: readonly Entry[]
  /** In the request that is under way. */
  readonly sending: readonly Entry[]
}

/** Steps have what they wanted of some targets, without a request of their own. */
export type Settled = Pick<Entry, 'steps' | 'targets'>

/** Entries that fit into one request: of one aspect, with one wanted value. */
export interface Request {
  readonly aspect: Aspect
  readonly wanted: Value
  readonly entries: readonly Entry[]
}

export const emptyOutbox: Outbox = { waiting: [], sending: [] }

/** All targets of some entries. */
export const targetsOf = (entries: readonly Settled[]): string[] =>
  entries.flatMap(({ targets }) => targets)

export const countTargets = (entries: readonly Settled[]): number =>
  entries.reduce((sum, { targets }) => sum + targets.length, 0)

/** The parts of an entry that are among some targets and that are not; empty parts are left out. */
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

/** Puts something else in the place of what entries of one aspect have of some targets. */
const replaceTargets = (
  entries: readonly Entry[],
  { aspect, targets }: Pick<Change, 'aspect' | 'targets'>,
  replace: (part: Entry) => readonly Entry[],
): readonly Entry[] => {
  if (!entries.some((entry) => entry.aspect === aspect)) return entries
  const isMeant = new Set(targets)
  return entries.flatMap((entry) => {
    if (entry.aspect !== aspect) return [entry]
    const { inside, outside } = splitEntry(entry, isMeant)
    return [...outside, ...inside.flatMap(replace)]
  })
}

/** What entries of one aspect have of some targets, and the targets that they do not have. */
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
 * Takes in what a person wants; the changes are of different targets. Of several changes of one target only the last is left, and none where
 * the server has already what is wanted: a star given and taken is nothing.
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
  /** What is left to do where the server has `before`, or will have it. */
  const toDo = (entry: Entry): Entry[] => {
    if (entry.wanted !== entry.before) return [entry]
    const underWay = findTargets(sending, entry)
    sending = replaceTargets(sending, entry, (part) => [
      { ...part, steps: [...part.steps, ...entry.steps] },
    ])
    if (underWay.missing.length > 0) settled.push({ ...entry, targets: underWay.missing })
    return []
  }
  for (const change of changes) {
    const entry: Entry = { ...change, steps: [step], heldUntil }
    const isNew = findTargets(waiting, entry).missing
    waiting = replaceTargets(waiting, entry, ({ targets, before, steps }) =>
      toDo({ ...entry, targets, before, steps: [...steps, step] }),
    )
    const { parts, missing } = findTargets(sending, { ...entry, targets: isNew })
    const later = parts.map(({ targets, wanted }) => ({ ...entry, targets, before: wanted }))
    const rest = missing.length === 0 ? [] : [{ ...entry, targets: missing }]
    fresh.push(...[...later, ...rest].flatMap(toDo))
  }
  return { outbox: { waiting: [...waiting, ...fresh], sending }, settled }
}

/** The request has gone. */
export const startRequest = ({ waiting }: Outbox, { entries }: Request): Outbox => ({
  waiting: waiting.filter((entry) => !entries.includes(entry)),
  sending: entries,
})

/**
 * The server answered. What it refused is as it was, which a later change of the same target must know.
 *
 * @returns The entries that were under way, with all their steps.
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
 * No answer came, so the request may or may not have done its work. It will be sent again, before all
 * others: every request may be repeated. Where something else is wanted by now, that is sent instead.
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

/** Takes waiting changes of one step back before they are sent. Those that other steps also made stay. */
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
 * Fills in what was not known of the server's side. Changes that turn out to be none are settled.
 *
 * @param asked - Entries that wait.
 * @returns Also what was learnt, each value with its targets and their steps.
 */
export function applyLookup(
  { waiting, sending }: Outbox,
  asked: readonly Entry[],
  values: ReadonlyMap<string, Value>,
): { outbox: Outbox; settled: Settled[]; news: (Settled & { value: Value })[] } {
  const settled: Settled[] = []
  const news: (Settled & { value: Value })[] = []
  const told = waiting.flatMap((entry): Entry[] => {
    if (!asked.includes(entry)) return [entry]
    const groups = Map.groupBy(entry.targets, (target) => values.get(target))
    return [...groups].flatMap(([value, targets]): Entry[] => {
      const part = { ...entry, targets, before: value, isLookedUp: true }
      if (value !== undefined) news.push({ steps: entry.steps, targets, value })
      if (value !== entry.wanted) return [part]
      settled.push(part)
      return []
    })
  })
  return { outbox: { waiting: told, sending }, settled, news }
}
