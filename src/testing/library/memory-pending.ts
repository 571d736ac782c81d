import type { Clock } from '#server/core/clock.ts'
import type { PendingFiles } from '#server/core/intake/file-ports.ts'

/** Pending names in memory, for tests of the code that uses the port. It refuses no rows. */
export const memoryPending = (clock: Clock): PendingFiles & { names(): string[] } => {
  const addedAt = new Map<string, number>()
  return {
    names: () => [...addedAt.keys()],
    add: async (imageNames) => {
      for (const name of imageNames) addedAt.set(name, clock())
    },
    sweep: async (ageMs, limit) =>
      [...addedAt]
        .flatMap(([name, added]) => (clock() - added >= ageMs ? [name] : []))
        .slice(0, limit),
    endSweep: async (imageNames) => {
      for (const name of imageNames) addedAt.delete(name)
    },
  }
}
