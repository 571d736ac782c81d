import { useEffect, useState } from 'react'

/** Returns a text after it has not changed for so many milliseconds. */
export function useAfterPause(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
