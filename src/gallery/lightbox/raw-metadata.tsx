import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { Button } from '#gallery/ui/button.tsx'
import { CopyButton } from '#gallery/ui/copy-button.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'

/** Characters that are drawn at once. Megabytes in one step would block the page. */
const SHOWN = 20_000
const MORE = 100_000

/** Longer texts are not parsed and indented. */
const MAX_INDENTED = 500_000

/** The unchanged embedded metadata. It can have megabytes, so it loads when the section is opened. */
export function RawMetadata({ imageName }: { imageName: string }) {
  const { client } = useGallery()
  const [isOpen, setIsOpen] = useState(false)
  const raw = useQuery({ ...metadataQueries(client).raw(imageName), enabled: isOpen })
  const entries = Object.entries(raw.data ?? {}).flatMap(entriesOf)
  return (
    <details
      className="mt-3 border-line border-t pt-3"
      onToggle={(event) =>
        event.target === event.currentTarget && setIsOpen(event.currentTarget.open)
      }
    >
      <summary className="cursor-pointer font-semibold text-sm pointer-coarse:min-h-11">
        Raw metadata
      </summary>
      {isOpen && <RawEntry name="image_name" value={imageName} />}
      {entries.map(([name, value]) => (
        <RawEntry key={name} name={name} value={value} />
      ))}
      {isOpen && entries.length === 0 && <p className="py-1 text-muted text-sm">{noteOf(raw)}</p>}
    </details>
  )
}

/** Files beside an imported file have an entry each. */
const entriesOf = ([name, value]: [string, unknown]): [string, unknown][] =>
  name === 'sidecars' && typeof value === 'object' && value !== null
    ? Object.entries(value)
    : [[name, value]]

function noteOf({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Couldn’t load the raw metadata.' : 'The file has no embedded metadata.'
}

function RawEntry({ name, value }: { name: string; value: unknown }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="py-1" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="wrap-anywhere cursor-pointer text-muted text-sm hover:text-ink pointer-coarse:min-h-11">
        {name}
      </summary>
      {isOpen && <RawText name={name} value={value} />}
    </details>
  )
}

function RawText({ name, value }: { name: string; value: unknown }) {
  const text = useMemo(() => readable(value), [value])
  const [shown, setShown] = useState(SHOWN)
  const left = text.length - shown
  return (
    <div className="relative mt-1">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the text
        tabIndex={0}
        className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded bg-sunken p-3 pr-10 font-mono text-xs"
      >
        {text.slice(0, shown)}
        {left > 0 && '…'}
      </pre>
      {left > 0 && (
        <Button className="mt-1 w-full" onClick={() => setShown(shown + MORE)}>
          {left > MORE ? `Show more (${formatCount(left)} characters left)` : 'Show all'}
        </Button>
      )}
      <div className="absolute top-1 right-1">
        <CopyButton label={`Copy raw ${name}`} text={text} />
      </div>
    </div>
  )
}

/** Indents JSON text that is not too long; other text stays unchanged. */
function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  if (value.length > MAX_INDENTED) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
