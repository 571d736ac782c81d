/** Lets work start while the memory of all that runs fits, in order of arrival. Work that needs more runs alone. */
export const memoryBudget = (maxBytes: number) => {
  let used = 0
  const waiting: { bytes: number; start(): void }[] = []
  const startNext = () => {
    for (;;) {
      const [next] = waiting
      if (next === undefined || used + next.bytes > maxBytes) return
      waiting.shift()
      used += next.bytes
      next.start()
    }
  }
  return {
    use: async <T>(neededBytes: number, work: () => Promise<T>): Promise<T> => {
      const bytes = Math.min(neededBytes, maxBytes)
      await new Promise<void>((start) => {
        waiting.push({ bytes, start })
        startNext()
      })
      try {
        return await work()
      } finally {
        used -= bytes
        startNext()
      }
    },
  }
}
