import { forecastOf } from './import-words.ts'
import { RefusedFiles } from './refused-files.tsx'
import { isLooking, type Preview } from './use-preview.ts'

/** What the import would do, with what it would refuse. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const { run, fault } = preview
  if (fault !== null) {
    return (
      <p role="alert" className="text-danger text-sm">
        Couldn’t read the folder. {fault}
      </p>
    )
  }
  if (run === null) return null
  return (
    <div className="rounded border border-line">
      <p
        role="status"
        // Read out once, and not every second.
        aria-live={isLooking(preview) ? 'off' : 'polite'}
        className="px-3 py-2 text-sm tabular-nums"
      >
        {run.error ?? forecastOf(run)}
      </p>
      {run.refusals.length > 0 && <RefusedFiles run={run} />}
    </div>
  )
}
