import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { parseNamePattern } from '#contract/downloads/name-pattern.ts'
import { sheetRefusal } from '#contract/downloads/sheet-layout.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import {
  closeDownloadDialog,
  type DownloadRequest,
} from '#gallery/api/downloads/download-request.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Choice } from '#gallery/ui/options.tsx'
import { Modal } from '#gallery/ui/popups/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { downloadFiles } from './download-files.ts'
import { saveSheet } from './draw-sheet.ts'
import { FileFields } from './file-fields.tsx'
import { changeForm, type DownloadForm, useDownloadForm } from './form-store.ts'
import { SheetFields } from './sheet-fields.tsx'

/** A dialog to download images in another form, or as a contact sheet. */
export function DownloadDialog({ request }: { request: DownloadRequest }) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Modal
      ref={popup}
      onClose={closeDownloadDialog}
      initialFocus={() => popup.current?.querySelector<HTMLElement>('select') ?? popup.current}
      className="fixed inset-0 z-50 m-auto flex flex-col overflow-hidden bg-raised shadow-floating outline-none wide:h-fit wide:max-h-[calc(100dvh-3rem)] wide:w-[min(34rem,calc(100vw-3rem))] wide:rounded-lg wide:border wide:border-line"
    >
      <Dialog.Title className="shrink-0 border-line border-b px-5 py-3 font-semibold text-lg">
        Download {countOf(request.count, request.noun)}
      </Dialog.Title>
      <DownloadFields request={request} />
    </Modal>
  )
}

const contents: readonly { value: DownloadForm['content']; label: string }[] = [
  { value: 'files', label: 'Files' },
  { value: 'sheet', label: 'Contact sheet' },
]

function DownloadFields({ request }: { request: DownloadRequest }) {
  const api = useGallery()
  const form = useDownloadForm()
  // InvokeAI cannot convert files.
  const hasForms = useHasExtension('download_options')
  const { sheet } = form
  const choice = hasForms && (
    <Choice
      label="Download as"
      value={form.content}
      options={contents}
      onChoose={(content) => changeForm({ content })}
    />
  )
  if (hasForms && form.content === 'files') {
    return (
      <Form
        key="files"
        isRunnable={parseNamePattern(form.names).fault === null}
        run={() => downloadFiles(api, request, form)}
      >
        {choice}
        <FileFields request={request} form={form} />
      </Form>
    )
  }
  const refusal = sheetRefusal(sheet.format, request.count)
  return (
    <Form
      key="sheet"
      isRunnable={refusal === null}
      run={(signal) => saveSheet(api, request, sheet, signal)}
    >
      {choice}
      <SheetFields sheet={sheet} refusal={refusal} />
    </Form>
  )
}

interface FormProps {
  isRunnable: boolean
  /** Is aborted when the dialog closes. */
  run: (signal: AbortSignal) => Promise<void>
  children: ReactNode
}

function Form({ isRunnable, run, children }: FormProps) {
  const [isRunning, setIsRunning] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const download = async () => {
    if (isRunning || !isRunnable) return
    const controller = new AbortController()
    stop.current = controller
    setIsRunning(true)
    setReason(null)
    try {
      await run(controller.signal)
      closeDownloadDialog()
    } catch (error) {
      if (controller.signal.aborted) return
      setReason(reasonOf(error))
      setIsRunning(false)
    }
  }

  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        void download()
      }}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-5">{children}</div>
      <footer className="shrink-0 border-line border-t px-5 py-3">
        {reason !== null && (
          <p role="alert" className="mb-2 text-danger text-sm">
            Nothing was downloaded. {reason}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={closeDownloadDialog}>Cancel</Button>
          <Button type="submit" tone="primary" aria-busy={isRunning} disabled={!isRunnable}>
            {isRunning ? 'Preparing…' : 'Download'}
          </Button>
        </div>
      </footer>
    </form>
  )
}
