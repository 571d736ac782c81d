import { FolderInput } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { type ImportDialogOptions, openImportDialog } from './import-store.ts'

interface ImportButtonProps {
  options: ImportDialogOptions
}

/** Registers the command that imports a folder, and returns it if the server allows imports from this browser. */
export function useImportCommands(options: ImportDialogOptions): readonly Command[] {
  const command: Command = {
    id: 'import',
    label: 'Import a folder on this computer…',
    name: 'Import a folder',
    icon: FolderInput,
    group: 'add',
    keys: 'Shift+O',
    run: () => openImportDialog(options),
  }
  const commands = useHasExtension('imports') ? [command] : []
  useCommands('Anywhere', commands)
  return commands
}

/** Opens the import dialog. Renders nothing if the server does not allow imports from this browser. */
export function ImportButton({ options }: ImportButtonProps) {
  if (!useHasExtension('imports')) return null
  return (
    <Button onClick={() => openImportDialog(options)}>
      <FolderInput aria-hidden size={16} strokeWidth={1.75} />
      Import a folder
    </Button>
  )
}
