import { useEffect, useState } from 'react'
import {
  type Import,
  type ImportRequest,
  isUnderWay,
  startImport,
  steerImport,
  useImports,
} from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'

/** What an import would do, found out by a dry run of it. */
export interface Preview {
  /** Null before it was asked for, and after what it was asked for has changed. */
  readonly run: Import | null
  readonly fault: string | null
  readonly start: (request: ImportRequest) => void
  /** Forgets it, and ends it where it goes on. */
  readonly drop: () => void
}

/** Has the server go through a folder without taking anything in. It ends with the dialog. */
export function usePreview(): Preview {
  const [importId, setImportId] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = useImports().imports?.find(({ import_id }) => import_id === importId) ?? null

  useEffect(() => {
    if (importId === null) return
    return () => void steerImport(importId, 'cancel').catch(() => {})
  }, [importId])

  return {
    run,
    fault,
    start: (request) => {
      setFault(null)
      startImport({ ...request, watch: false, dry_run: true })
        .then(({ import_id }) => setImportId(import_id))
        .catch((error: unknown) => setFault(reasonOf(error)))
    },
    drop: () => {
      setImportId(null)
      setFault(null)
    },
  }
}

/** Whether it still looks. */
export const isLooking = ({ run }: Preview): boolean => run !== null && isUnderWay(run)
