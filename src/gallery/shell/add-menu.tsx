import { ChevronDown, Plus } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { CommandItems, Menu } from '#gallery/ui/popups/menu.tsx'

/** The button for everything that adds images. */
export function AddMenu({ commands }: { commands: readonly Command[] }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button tone="primary" className="min-w-11" aria-label="Add images">
          <Plus aria-hidden size={16} strokeWidth={2} />
          <span className="@max-sm:hidden">Add</span>
          <ChevronDown aria-hidden size={14} strokeWidth={2} className="-mr-1 @max-sm:hidden" />
        </Button>
      }
    >
      <CommandItems commands={commands} />
    </Menu>
  )
}
