import { useId } from 'react'
import type { DownloadRequest } from '#gallery/api/downloads/download-request.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { changeForm, type DownloadForm } from './form-store.ts'
import { NamesField } from './names-field.tsx'

/** The form of files: format, size, names, metadata. */
export function FileFields({ request, form }: { request: DownloadRequest; form: DownloadForm }) {
  return (
    <>
      <div>
        <div className="grid grid-cols-2 gap-3">
          <FormatSelect form={form} />
          <LongestSideSelect form={form} />
        </div>
        <FormNotes form={form} />
      </div>
      {isLossy(form) && <QualityField form={form} />}
      <NamesField request={request} form={form} />
      <div>
        <Switch
          isOn={form.isWithoutMetadata}
          onChange={(isWithoutMetadata) => changeForm({ isWithoutMetadata })}
        >
          Without metadata
        </Switch>
        <p className="text-muted text-sm">
          Removes prompt, workflow, camera and location, also texts that are hidden in the pixels.
          The server checks each result.
          {form.isWithoutMetadata &&
            ' Videos are left out, because their metadata cannot be removed.'}
        </p>
      </div>
    </>
  )
}

const formats: readonly { value: DownloadForm['format']; label: string }[] = [
  { value: 'original', label: 'As they are' },
  { value: 'jpeg', label: 'JPEG' },
  { value: 'webp', label: 'WebP' },
  { value: 'avif', label: 'AVIF' },
  { value: 'png', label: 'PNG' },
]

const isLossy = ({ format }: DownloadForm): boolean => format !== 'original' && format !== 'png'

const isConverting = ({ format, longestSide }: DownloadForm): boolean =>
  format !== 'original' || longestSide !== null

const labelClasses = 'font-medium text-muted text-xs'

function FormatSelect({ form }: { form: DownloadForm }) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelClasses}>
        Format
      </label>
      <select
        id={id}
        className={inputClasses}
        value={form.format}
        onChange={({ target }) => changeForm({ format: target.value as DownloadForm['format'] })}
      >
        {formats.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

const sides = [4096, 3072, 2048, 1536, 1024, 768, 512]

function LongestSideSelect({ form }: { form: DownloadForm }) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelClasses}>
        Longest side
      </label>
      <select
        id={id}
        className={inputClasses}
        value={form.longestSide ?? ''}
        onChange={({ target }) => changeForm({ longestSide: Number(target.value) || null })}
      >
        <option value="">No limit</option>
        {sides.map((side) => (
          <option key={side} value={side}>
            At most {side} px
          </option>
        ))}
      </select>
    </div>
  )
}

function QualityField({ form }: { form: DownloadForm }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between">
        <label htmlFor={id} className={labelClasses}>
          Quality
        </label>
        <output htmlFor={id} className="text-sm tabular-nums">
          {form.quality}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={30}
        max={100}
        value={form.quality}
        onChange={({ target }) => changeForm({ quality: Number(target.value) })}
        className="h-6 w-full accent-accent pointer-coarse:h-11"
      />
    </div>
  )
}

/** Says which files do not get the chosen form. */
function FormNotes({ form }: { form: DownloadForm }) {
  const kept = form.isWithoutMetadata ? 'Animated images' : 'Videos and animated images'
  const notes = [
    ...(isConverting(form) ? [`${kept} keep their format and size.`] : []),
    ...(form.format !== 'original' && form.format !== 'png' && !form.isWithoutMetadata
      ? ['Prompts in PNG files are not taken over into other formats.']
      : []),
  ]
  return (
    <ul className="flex flex-col gap-1 pt-2 text-muted text-sm empty:hidden">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
