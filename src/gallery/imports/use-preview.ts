import { useEffect, useState } from 'react'
import {
  type Import,
  type ImportRequest,
  isImportActive,
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
  /** Forgets it, and ends it where it goes on: one folder has one run at a time. */
  readonly discard: () => Promise<void>
}

/** Has the server go through a folder without taking anything in. It ends with the dialog. */
export function usePreview(): Preview {
  const [importId, setImportId] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = useImports().imports?.find(({ import_id }) => import_id === importId) ?? null

  useEffect(() => {
    if (importId === null) return
    return () => void end(importId)
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
    discard: async () => {
      setImportId(null)
      setFault(null)
      if (run !== null && isImportActive(run)) await end(run.import_id)
    },
  }
}

/** A server that does not answer ends it by itself, or has forgotten it. */
const end = (importId: string): Promise<void> => steerImport(importId, 'cancel').catch(() => {})

/** Whether it still looks. */
export const isPreviewRunning = ({ run }: Preview): boolean => run !== null && isImportActive(run)
