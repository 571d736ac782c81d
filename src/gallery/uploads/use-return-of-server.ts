import { useEffect, useRef } from 'react'
import { useReachability } from '#gallery/api/reachability.ts'
import { tryNow } from './run-uploads.ts'
import { currentUploads } from './upload-store.ts'

/** Goes on at once when the server answers again, rather than when the next try is due. */
export function useReturnOfServer(): void {
  const { kind } = useReachability()
  const before = useRef(kind)
  useEffect(() => {
    const isBack = before.current !== 'there' && kind === 'there'
    before.current = kind
    if (isBack && currentUploads().retryAt !== null) tryNow()
  }, [kind])
}
