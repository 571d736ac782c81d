import type { ReactNode } from 'react'

/** A note below a field: another client has changed or deleted meanwhile what the field edits. */
export const MeanwhileNote = ({ children }: { children: ReactNode }) => (
  <p
    role="status"
    className="mt-2 max-h-32 overflow-y-auto wrap-anywhere border-accent border-s-2 ps-2 text-muted text-sm"
  >
    {children}
  </p>
)
