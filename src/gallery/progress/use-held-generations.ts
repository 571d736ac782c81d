import { useEffect, useState } from 'react'
import { type Generation, useGenerations } from '#gallery/api/generations.ts'
import { wasCanceled } from './act-on-generation.ts'

/** An answer may say that an item is done before the event that says what it made: so long it stays, in ms. */
const HELD_MS = 700

/** What is being made; what ran a moment ago and has not said yet what came of it is still among it. */
export function useHeldGenerations(): readonly Generation[] {
  const generations = useGenerations()
  const [last, setLast] = useState(generations)
  const [held, setHeld] = useState<readonly Generation[]>([])
  const shown = last === generations ? held : heldAfter([...held, ...last], generations)
  if (last !== generations) {
    setLast(generations)
    setHeld(shown.length === 0 && held.length === 0 ? held : shown)
  }
  useEffect(() => {
    if (held.length === 0) return
    const timer = setTimeout(() => setHeld([]), HELD_MS)
    return () => clearTimeout(timer)
  }, [held])
  return shown.length === 0 ? generations : [...shown, ...generations]
}

/** Of what was shown, what ran, is gone, and has told of no image. */
export function heldAfter(
  before: readonly Generation[],
  now: readonly Generation[],
): readonly Generation[] {
  const known = new Set(now.map(({ itemId }) => itemId))
  return before.filter(
    ({ itemId, status, imageNames }) =>
      status === 'in_progress' &&
      imageNames.length === 0 &&
      !known.has(itemId) &&
      !wasCanceled(itemId),
  )
}
