import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import {
  type NamePattern,
  nameFieldIds,
  nameFields,
  parseNamePattern,
} from '#contract/downloads/name-pattern.ts'
import type { DownloadRequest } from '#gallery/api/downloads/download-request.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Menu, MenuItem } from '#gallery/ui/popups/menu.tsx'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { changeForm, type DownloadForm } from './form-store.ts'
import { type PreviewedImage, previewNames } from './preview-names.ts'

/** Files whose names are shown before the download. */
const SHOWN_NAMES = 3

interface NamesFieldProps {
  request: DownloadRequest
  form: DownloadForm
}

/** The pattern of the file names, with the names of the first files. */
export function NamesField({ request, form }: NamesFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { pattern, fault } = parseNamePattern(form.names)

  const insert = (text: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const start = selectionStart ?? form.names.length
    const end = selectionEnd ?? start
    changeForm({ names: form.names.slice(0, start) + text + form.names.slice(end) })
    // Later, because the closing menu focuses its button.
    setTimeout(() => {
      input.current?.focus()
      input.current?.setSelectionRange(start + text.length, start + text.length)
    })
  }

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-muted text-xs">
        File names
      </label>
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          value={form.names}
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={fault !== null}
          aria-describedby={`${id}-about`}
          onChange={({ target }) => changeForm({ names: target.value })}
          className={`${inputClasses} font-mono aria-invalid:border-danger`}
        />
        <Menu
          align="end"
          trigger={
            <Button>
              <Plus aria-hidden size={16} />
              Insert
            </Button>
          }
        >
          {nameFieldIds.map((field) => (
            <MenuItem key={field} icon={Plus} onSelect={() => insert(`{${field}}`)}>
              <span className="flex-1 font-mono">{`{${field}}`}</span>
              <span className="pl-4 text-muted">{nameFields[field]}</span>
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div id={`${id}-about`} className="min-h-15 text-sm">
        {fault === null ? (
          <NamesPreview request={request} form={form} pattern={pattern} />
        ) : (
          <p role="alert" className="text-danger">
            {fault.message}
          </p>
        )}
      </div>
    </div>
  )
}

function NamesPreview({ request, form, pattern }: NamesFieldProps & { pattern: NamePattern }) {
  const api = useGallery()
  const id = useId()
  const first = useQuery({
    queryKey: ['first images of a download', id],
    queryFn: () => firstImages(api, request),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (first.isError) return <p className="text-muted">The names cannot be shown now.</p>
  if (first.data === undefined) return <p className="text-muted">Loading…</p>
  const names = previewNames(pattern, first.data, { form, count: request.count })
  const more = request.count - names.length
  return (
    <ul aria-label="First file names" className="text-muted">
      {names.map((name) => (
        <li key={name} className="truncate" title={name}>
          {name}
        </li>
      ))}
      {more > 0 && <li>…</li>}
    </ul>
  )
}

async function firstImages(api: GalleryApi, request: DownloadRequest): Promise<PreviewedImage[]> {
  const records = await request.records(SHOWN_NAMES)
  const boards = await api.queryClient.fetchQuery({ ...api.boardQueries.list(), staleTime: 60_000 })
  const boardNames = new Map(boards.map(({ board_id, board_name }) => [board_id, board_name]))
  const names = records.map(({ image_name }) => image_name)
  const metadata = await Promise.all(
    names.map((name) =>
      api.queryClient.fetchQuery(metadataQueries(api.client).normal(name, names)),
    ),
  )
  return records.map((record, index) => ({
    record,
    metadata: metadata[index] ?? null,
    boardName: boardNames.get(record.board_id ?? '') ?? null,
  }))
}
