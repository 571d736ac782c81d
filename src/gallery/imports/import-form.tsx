import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { foldersQuery, type ImportRequest, startImport } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { FolderChooser } from './folder-chooser.tsx'
import { type ImportChoices, ImportOptions } from './import-options.tsx'
import { ImportPreview } from './import-preview.tsx'
import { type ImportWish, importDialogClosed } from './import-store.ts'
import { PathField } from './path-field.tsx'
import { isLooking, usePreview } from './use-preview.ts'

interface ImportFormProps {
  wish: ImportWish
  onStarted: (importId: string) => void
}

/** Which folder, where its images go, and what would become of them. */
export function ImportForm({ wish: { boardName }, onStarted }: ImportFormProps) {
  const client = useQueryClient()
  const preview = usePreview()
  const [path, setPath] = useState<string | undefined>(undefined)
  const folder = useQuery({
    ...foldersQuery(path),
    // What was open stays until the next one is there.
    placeholderData: (before) => before,
    retry: false,
  })
  const [isStarting, setStarting] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [choices, setChoices] = useState<ImportChoices>({
    boards: boardName === null ? 'folders' : 'one',
    board_name: boardName ?? '',
    link: false,
    watch: false,
  })
  const isNamed = choices.boards !== 'one' || choices.board_name.trim() !== ''
  const canStart = isNamed && folder.data !== undefined && !folder.isError

  const open = (next: string | undefined) => {
    setPath(next)
    setFault(null)
    void preview.drop()
  }
  const change = (next: ImportChoices) => {
    setChoices(next)
    void preview.drop()
  }
  /** The server says where the folder that was typed or is open really lies. */
  const request = async (): Promise<ImportRequest> => {
    const { path: folder } = await client.fetchQuery(foldersQuery(path))
    const { board_name, ...others } = choices
    const name = board_name.trim()
    return { folder, ...others, ...(choices.boards === 'one' && { board_name: name }) }
  }
  const failed = (error: unknown) => setFault(reasonOf(error))
  const look = () => void request().then(preview.start, failed)
  const start = async (event: FormEvent) => {
    event.preventDefault()
    setFault(null)
    setStarting(true)
    try {
      await preview.drop()
      onStarted((await startImport(await request())).import_id)
    } catch (error) {
      failed(error)
      setStarting(false)
    }
  }

  return (
    <form className="flex min-h-0 flex-1 flex-col" onSubmit={(event) => void start(event)}>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-5">
        <PathField path={(folder.isError ? path : folder.data?.path) ?? ''} onOpen={open} />
        <FolderChooser folder={folder} onOpen={open} />
        <ImportOptions choices={choices} onChange={change} />
        <ImportPreview preview={preview} />
        {fault !== null && (
          <p role="alert" className="text-danger text-sm">
            {fault}
          </p>
        )}
      </div>
      <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-line border-t px-5 py-3">
        <Button
          tone="quiet"
          className="mr-auto"
          disabled={!canStart || isLooking(preview)}
          onClick={look}
        >
          Preview import
        </Button>
        <Button onClick={importDialogClosed}>Cancel</Button>
        <Button type="submit" tone="primary" disabled={!canStart || isStarting}>
          Start
        </Button>
      </footer>
    </form>
  )
}
