import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { metadataQueries } from '#gallery/api/metadata-queries.ts'
import { CopyButton } from '#gallery/ui/copy-button.tsx'

/** The embedded metadata word for word. It may be megabytes, so it loads when the section is opened. */
export function RawMetadata({ imageName }: { imageName: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const raw = useQuery({ ...metadataQueries.raw(imageName), enabled: isOpen })
  const entries = Object.entries(raw.data ?? {})
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
      {entries.map(([name, value]) => (
        <RawEntry key={name} name={name} value={value} />
      ))}
      {isOpen && entries.length === 0 && <p className="py-1 text-muted text-sm">{noteOf(raw)}</p>}
    </details>
  )
}

function noteOf({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Couldn’t load the raw metadata.' : 'The file has no embedded metadata.'
}

function RawEntry({ name, value }: { name: string; value: unknown }) {
  const text = readable(value)
  return (
    <details className="py-1">
      <summary className="cursor-pointer text-muted text-sm hover:text-ink pointer-coarse:min-h-11">
        {name}
      </summary>
      <div className="relative mt-1">
        <pre className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded bg-sunken p-3 pr-10 font-mono text-xs">
          {text}
        </pre>
        <div className="absolute top-1 right-1">
          <CopyButton label={`Copy raw ${name}`} text={text} />
        </div>
      </div>
    </details>
  )
}

/** Indents JSON text; other text stays unchanged. */
function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
