import { useEffect } from 'react'
import { useHasUnfinished } from './upload-store.ts'

/** Lets the browser ask before the page is left in the middle of an upload. */
export function useLeaveWarning(): void {
  const hasUnfinished = useHasUnfinished()
  useEffect(() => {
    if (!hasUnfinished) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasUnfinished])
}
