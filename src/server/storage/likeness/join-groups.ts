import type { IdGroups } from '#server/core/likeness/duplicate-ports.ts'
import { groupsOf, JoinedSets } from '#server/core/likeness/group-alike.ts'

/** Joins groups that have an id in common. */
export const joinGroups = (one: IdGroups, other: IdGroups): IdGroups => {
  const positions = new Map<number, number>()
  for (const groups of [one, other])
    for (const members of membersOf(groups))
      for (const id of members) if (!positions.has(id)) positions.set(id, positions.size)
  const sets = new JoinedSets(positions.size)
  for (const groups of [one, other])
    for (const members of membersOf(groups)) {
      const first = positions.get(members[0] ?? 0) ?? 0
      for (const id of members) sets.join(first, positions.get(id) ?? 0)
    }
  return groupsOf(Uint32Array.from(positions.keys()), sets)
}

/** Yields the ids of each group. */
export function* membersOf(groups: IdGroups): Generator<Uint32Array> {
  for (let at = 0; at < groups.length; ) {
    const size = groups[at] ?? 0
    yield groups.subarray(at + 1, at + 1 + size)
    at += 1 + size
  }
}
