import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { foldersQuery, type ImportRequest } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Modal } from '#gallery/ui/popups/dialog.tsx'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { FolderChooser } from './folder-chooser.tsx'
import { ImportCard } from './import-cards.tsx'
import { type ImportChoices, ImportOptions } from './import-options.tsx'
import {
  cardIdOf,
  closeImportDialog,
  type ImportDialogOptions,
  markImportStarted,
} from './import-store.ts'
import { forecastOf } from './import-words.ts'
import { pathFromPaste } from './pasted-path.ts'
import { RefusedFiles } from './refused-files.tsx'
import { isPreviewRunning, type Preview, usePreview } from './use-preview.ts'

/** The dialog that imports a folder of the server's machine. */
export function ImportDialog({ options }: { options: ImportDialogOptions }) {
  const startedId = useRef('')
  // The focus goes to the card of the import when this dialog closes.
  useEffect(() => void ImportCard.preload().catch(() => undefined), [])
  const started = (importId: string) => {
    startedId.current = importId
    markImportStarted(importId)
    closeImportDialog()
  }
  // The button that opened this dialog disappears when the first images arrive.
  const cardOrButton = () => document.getElementById(cardIdOf(startedId.current)) ?? true
  return (
    <Modal
      onClose={closeImportDialog}
      finalFocus={cardOrButton}
      className="fixed inset-0 z-50 m-auto flex flex-col overflow-hidden bg-raised shadow-floating outline-none sm:h-fit sm:max-h-[calc(100dvh-3rem)] sm:w-[min(44rem,calc(100vw-3rem))] sm:rounded-lg sm:border sm:border-line"
    >
      <div className="shrink-0 border-line border-b px-5 py-3">
        <Dialog.Title className="font-semibold text-lg">Import a folder</Dialog.Title>
        <Dialog.Description className="text-muted text-sm">
          Imports images from a folder on this computer, including its subfolders. The folder itself
          is never changed.
        </Dialog.Description>
      </div>
      <ImportForm options={options} onStarted={started} />
    </Modal>
  )
}

interface ImportFormProps {
  options: ImportDialogOptions
  onStarted: (importId: string) => void
}

function ImportForm({ options: { boardName }, onStarted }: ImportFormProps) {
  const { client, imports, queryClient } = useGallery()
  const preview = usePreview()
  const [path, setPath] = useState<string | undefined>(undefined)
  const folder = useQuery({
    ...foldersQuery(client, path),
    // Keep showing the previous folder until the next one is loaded.
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
    void preview.discard()
  }
  const change = (next: ImportChoices) => {
    setChoices(next)
    void preview.discard()
  }
  /** Returns the request with the absolute path, which the server resolves. */
  const request = async (): Promise<ImportRequest> => {
    const { path: folder } = await queryClient.fetchQuery(foldersQuery(client, path))
    const { board_name, ...others } = choices
    const name = board_name.trim()
    return { folder, ...others, ...(choices.boards === 'one' && { board_name: name }) }
  }
  const failed = (error: unknown) => setFault(reasonOf(error))
  const startPreview = () => void request().then(preview.start, failed)
  const start = async (event: FormEvent) => {
    event.preventDefault()
    setFault(null)
    setStarting(true)
    try {
      await preview.discard()
      onStarted((await imports.start(await request())).import_id)
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
          disabled={!canStart || isPreviewRunning(preview)}
          onClick={startPreview}
        >
          Preview import
        </Button>
        <Button onClick={closeImportDialog}>Cancel</Button>
        <Button type="submit" tone="primary" disabled={!canStart || isStarting}>
          Start
        </Button>
      </footer>
    </form>
  )
}

/** The result of the dry run, with the files that the import would refuse. */
function ImportPreview({ preview }: { preview: Preview }) {
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
        // Screen readers announce the result once, not the progress every second.
        aria-live={isPreviewRunning(preview) ? 'off' : 'polite'}
        className="px-3 py-2 text-sm tabular-nums"
      >
        {run.error ?? forecastOf(run)}
      </p>
      {run.refusals.length > 0 && <RefusedFiles run={run} />}
    </div>
  )
}

interface PathFieldProps {
  /** Path of the open folder; empty while unknown. */
  path: string
  onOpen: (path: string) => void
}

/** The field for a path. Enter or blur opens a typed folder; a pasted path opens immediately. */
function PathField({ path, onOpen }: PathFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  // Select a path that was filled in while the field has the focus, so that typing or pasting
  // replaces it.
  useLayoutEffect(() => {
    if (path !== '' && document.activeElement === field.current) field.current?.select()
  }, [path])

  const open = (text: string | null) => {
    setTyped(null)
    const next = pathFromPaste(text ?? '')
    if (next !== '') onOpen(next)
  }
  const change = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isPaste = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste'
    if (isPaste) open(target.value)
    else setTyped(target.value)
  }
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === null) return
    // The first Enter opens the typed folder; a second one submits the form.
    event.preventDefault()
    open(typed)
  }
  return (
    <label className="block">
      <span className="mb-1 block font-medium text-sm">Folder</span>
      <input
        ref={field}
        value={typed ?? path}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder="/home/you/Pictures"
        onChange={change}
        onKeyDown={openOnEnter}
        onBlur={() => open(typed)}
        className={inputClasses}
      />
    </label>
  )
}
