import { FolderInput } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { useKeys } from '#gallery/ui/keys/keys.ts'
import { type ImportDialogOptions, openImportDialog } from './import-store.ts'

interface ImportButtonProps {
  options: ImportDialogOptions
  /** Shows only the icon, next to the upload button. */
  isCompact?: boolean
}

/** Opens the import dialog. Renders nothing if the server does not allow imports from this browser. */
export function ImportButton({ options, isCompact = false }: ImportButtonProps) {
  const canImport = useHasExtension('imports')
  if (!canImport) return null
  const open = () => openImportDialog(options)
  if (isCompact) {
    return (
      <>
        <ImportKey onPress={open} />
        <IconButton label="Import a folder" icon={FolderInput} onClick={open} />
      </>
    )
  }
  return (
    <Button onClick={open}>
      <FolderInput aria-hidden size={16} strokeWidth={1.75} />
      Import a folder
    </Button>
  )
}

/** Registers the shortcut only while the button is available, so that it is not listed otherwise. */
function ImportKey({ onPress }: { onPress: () => void }) {
  useKeys('Anywhere', [{ keys: 'Shift+O', label: 'Import a folder', run: onPress }])
  return null
}
