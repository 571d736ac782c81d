import { keyNames } from './key-names.ts'

/** Keys, drawn as the caps of a keyboard. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="flex gap-1">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className="inline-flex h-6 min-w-6 items-center justify-center whitespace-nowrap rounded-sm border border-line bg-sunken px-1.5 font-sans text-xs"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}
