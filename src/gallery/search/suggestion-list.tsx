import { Autocomplete } from '@base-ui/react/autocomplete'
import { X } from 'lucide-react'
import { forgetSearch } from './recent-searches.ts'
import type { Suggestion, SuggestionGroup } from './suggestions.ts'

/** The list below the search field. */
export const SuggestionList = ({ groups }: { groups: readonly SuggestionGroup[] }) => (
  <Autocomplete.Portal role="region" aria-label="Search suggestions">
    <Autocomplete.Positioner className="z-50 outline-none" sideOffset={4} align="start">
      <Autocomplete.Popup className="max-h-[min(26rem,var(--available-height))] w-[max(var(--anchor-width),18rem)] max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised p-1 shadow-floating outline-none">
        <Autocomplete.List aria-label="Suggestions" className="outline-none">
          {groups.map(({ label, suggestions }) => (
            <Autocomplete.Group key={label}>
              <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-1 font-medium text-muted text-xs">
                {label}
              </Autocomplete.GroupLabel>
              {suggestions.map((suggestion) => (
                <SuggestionItem key={suggestion.id} suggestion={suggestion} />
              ))}
            </Autocomplete.Group>
          ))}
        </Autocomplete.List>
      </Autocomplete.Popup>
    </Autocomplete.Positioner>
  </Autocomplete.Portal>
)

const SuggestionItem = ({ suggestion }: { suggestion: Suggestion }) => (
  <Autocomplete.Item
    value={suggestion}
    aria-description={suggestion.isRecent && 'Press Delete to remove it from the list'}
    className="flex min-h-8 cursor-default select-none items-center gap-3 rounded px-2 text-sm outline-none data-highlighted:bg-hover pointer-coarse:min-h-11"
  >
    <span dir="auto" className="max-w-[75%] shrink-0 truncate">
      {suggestion.label}
    </span>
    {suggestion.about && (
      <span className="ml-auto min-w-0 truncate text-muted text-xs tabular-nums">
        {suggestion.about}
      </span>
    )}
    {suggestion.isRecent && <ForgetSpot query={suggestion.label} />}
  </Autocomplete.Item>
)

/** For mouse and finger. An option must not contain a button, so keys have Delete. */
const ForgetSpot = ({ query }: { query: string }) => (
  <span
    aria-hidden
    title="Remove from the list"
    onPointerUp={(event) => event.stopPropagation()}
    onMouseUp={(event) => event.stopPropagation()}
    onClick={(event) => {
      event.stopPropagation()
      forgetSearch(query)
    }}
    className="-mr-1 ml-auto flex size-6 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-line hover:text-ink pointer-coarse:size-11"
  >
    <X size={14} />
  </span>
)
