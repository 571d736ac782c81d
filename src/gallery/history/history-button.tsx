import { History } from 'lucide-react'
import { IconButton } from '#gallery/ui/button.tsx'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { toggleHistory, useIsHistoryOpen } from './history-store.ts'

/** Opens and closes the history. */
export function HistoryButton() {
  const isOpen = useIsHistoryOpen()
  return (
    <IconButton
      label="History"
      icon={History}
      commandId="history.toggle"
      aria-expanded={isOpen}
      onClick={() => {
        closeSidebar()
        toggleHistory()
      }}
    />
  )
}
