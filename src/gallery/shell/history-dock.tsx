import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Sheet } from '#gallery/ui/dialog.tsx'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { useKeys } from '#gallery/ui/keys/keys.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { closeHistory, toggleHistory, useIsHistoryOpen } from './history-store.ts'

const HistoryPanel = lazy(async () => ({
  default: (await import('./history-panel.tsx')).HistoryPanel,
}))

/** The page with the open history next to it. In the compact layout the history is a sheet. */
export function HistoryDock({ children }: { children: ReactNode }) {
  const isOpen = useIsHistoryOpen()
  const isCompact = useIsCompact()
  const aside = useRef<HTMLElement>(null)
  useKeys('Anywhere', [{ keys: 'h', label: 'Show or hide the history', run: toggleHistory }])
  useKeys('History', [{ keys: 'Escape', label: 'Hide the history', run: closeHistory }], {
    when: () => aside.current?.contains(document.activeElement) ?? false,
  })
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      {isCompact && (
        <Sheet label="History" isOpen={isOpen} onClose={closeHistory}>
          <Suspense>
            <HistoryPanel />
          </Suspense>
        </Sheet>
      )}
      {isOpen && !isCompact && (
        <aside
          ref={aside}
          {...focusFallback}
          aria-label="History"
          className="flex w-80 shrink-0 flex-col border-line border-l bg-surface"
        >
          <Suspense>
            <HistoryPanel />
          </Suspense>
        </aside>
      )}
    </div>
  )
}
