import type { ReactNode } from 'react'

/** Temporary messages of the page. They overlay the images, so that the layout does not shift. */
export function PageNotes({ children }: { children: ReactNode }) {
  return (
    <div className="relative z-30 h-0">
      <div className="pointer-events-none absolute inset-x-0 top-3 flex flex-col items-center gap-2 px-4 *:pointer-events-auto *:max-w-full">
        {children}
      </div>
    </div>
  )
}
