import type { DownloadOptions } from '#contract/downloads/download-operations.ts'
import { PLAIN_NAMES } from '#contract/downloads/name-pattern.ts'
import { DEFAULT_COLUMNS } from '#contract/downloads/sheet-layout.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'
import type { SheetForm } from './draw-sheet.ts'

/** The choices of the last download. */
export interface DownloadForm {
  readonly format: NonNullable<DownloadOptions['format']>
  readonly quality: number
  /** In pixels. null: no limit. */
  readonly longestSide: number | null
  readonly names: string
  readonly isWithoutMetadata: boolean
  readonly content: 'files' | 'sheet'
  readonly sheet: SheetForm
}

const useForm = createPreferences<DownloadForm>('download-form', {
  format: 'original',
  quality: 85,
  longestSide: null,
  names: PLAIN_NAMES,
  isWithoutMetadata: false,
  content: 'files',
  sheet: { format: 'pdf', columns: DEFAULT_COLUMNS, hasNames: true },
})

export const useDownloadForm = (): DownloadForm => useForm((form) => form)

export const changeForm = (changes: Partial<DownloadForm>): void => void useForm.setState(changes)

/** Changes the choices for contact sheets. */
export const changeSheet = (changes: Partial<SheetForm>): void =>
  void useForm.setState(({ sheet }) => ({ sheet: { ...sheet, ...changes } }))

export const optionsOf = (form: DownloadForm): DownloadOptions => ({
  names: form.names,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  format: form.format,
  quality: form.quality,
  longest_side: form.longestSide,
  without_metadata: form.isWithoutMetadata,
})
