import { CopyButton } from '#gallery/ui/copy-button.tsx'

/** What was embedded, word for word, folded away. Nothing where nothing was. */
export function RawMetadata({ raw }: { raw: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(raw)
  if (entries.length === 0) return null
  return (
    <div className="mt-3 border-line border-t pt-3">
      {entries.map(([name, value]) => (
        <RawEntry key={name} name={name} value={value} />
      ))}
    </div>
  )
}

function RawEntry({ name, value }: { name: string; value: unknown }) {
  const text = readable(value)
  return (
    <details className="py-1">
      <summary className="cursor-pointer text-muted text-sm hover:text-ink pointer-coarse:min-h-11">
        Raw: {name}
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

/** JSON that came as text is laid out; any other text stays as it is. */
function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}
