import { History } from 'lucide-react'
import { type ReactNode, Suspense, useRef } from 'react'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { focusFallback } from '#gallery/ui/keys/focus.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { Sheet } from '#gallery/ui/popups/drawer.tsx'
import { useIsCompact, useMedia } from '#gallery/ui/use-media.ts'
import { closeHistory, toggleHistory, useIsHistoryOpen } from './history-store.ts'

const HistoryPanel = lazyPart(async () => (await import('./history-panel.tsx')).HistoryPanel)

/** On narrower pages the history next to an open queue would leave no room for the images. */
const NARROW = '(width < 64rem)'

/** The page with the open history next to it. On a narrow page the history is a sheet. */
export function HistoryDock({ children }: { children: ReactNode }) {
  const isOpen = useIsHistoryOpen()
  const isCompact = useIsCompact()
  const isSheet = useMedia(NARROW) || isCompact
  const aside = useRef<HTMLElement>(null)
  useCommands('Anywhere', [
    {
      id: 'history.toggle',
      icon: History,
      keys: 'h',
      label: 'Show or hide the history',
      run: toggleHistory,
    },
  ])
  useCommands(
    'History',
    [
      {
        id: 'history.close',
        isKeyOnly: true,
        keys: 'Escape',
        label: 'Hide the history',
        run: closeHistory,
      },
    ],
    {
      when: () => aside.current?.contains(document.activeElement) ?? false,
    },
  )
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      {isSheet && (
        <Sheet label="History" isOpen={isOpen} onClose={closeHistory}>
          <Suspense>
            <HistoryPanel />
          </Suspense>
        </Sheet>
      )}
      {isOpen && !isSheet && (
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
