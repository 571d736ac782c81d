import { useEffect, useState } from 'react'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type ImportRequest, isImportActive, useImports } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'

export type Preview = ReturnType<typeof usePreview>

/** Runs an import as a dry run on the server. Closing the dialog cancels it. */
export function usePreview() {
  const { imports } = useGallery()
  const [importId, setImportId] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = useImports().imports?.find(({ import_id }) => import_id === importId) ?? null

  useEffect(() => {
    if (importId === null) return
    return () => void end(imports, importId)
  }, [imports, importId])

  return {
    /** The dry run; null before it starts, and after the request was changed. */
    run,
    fault,
    start: (request: ImportRequest) => {
      setFault(null)
      imports
        .start({ ...request, watch: false, dry_run: true })
        .then(({ import_id }) => setImportId(import_id))
        .catch((error: unknown) => setFault(reasonOf(error)))
    },
    /** Discards the preview and cancels an active dry run, because a folder can have only one import at a time. */
    discard: async () => {
      setImportId(null)
      setFault(null)
      if (run !== null && isImportActive(run)) await end(imports, run.import_id)
    },
  }
}

/** Cancels a dry run. Ignores errors: an unreachable server ends it by itself or has lost it. */
const end = (imports: GalleryApi['imports'], importId: string): Promise<void> =>
  imports.steer(importId, 'cancel').catch(() => {})

export const isPreviewRunning = ({ run }: Preview): boolean => run !== null && isImportActive(run)
