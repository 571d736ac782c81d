import React from 'react'
import { vi } from 'vitest'

/**
 * Defines `act`, which Testing Library needs and React's production build lacks. The page project uses that
 * build, because the development build records a stack for each element and takes half as much CPU again.
 */
async function defineAct(): Promise<void> {
  const scheduled = new Set<() => void>()
  const recording = (schedule: (run: () => void) => unknown) => (work: () => void) => {
    const run = () => {
      if (scheduled.delete(run)) work()
    }
    scheduled.add(run)
    return schedule(run)
  }
  // React keeps the functions that it finds when it is loaded.
  vi.stubGlobal('queueMicrotask', recording(queueMicrotask))
  vi.stubGlobal('setImmediate', recording(setImmediate))
  await import('react-dom/client')
  const { flushSync } = await import('react-dom')
  vi.unstubAllGlobals()

  const flush = () => {
    flushSync(() => {})
    // Running one may schedule another, which this loop runs too.
    for (const run of scheduled) run()
  }
  const settle = async <T>(result: T | Promise<T>): Promise<T> => {
    const value = await result
    await new Promise((resolve) => setImmediate(resolve))
    flush()
    return value
  }
  const act = <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = flushSync(work)
    flush()
    return settle(result)
  }
  Object.assign(React, { act })
}

// The test files of a worker share React.
if (!('act' in React)) await defineAct()
