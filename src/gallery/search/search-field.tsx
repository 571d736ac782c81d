import { Autocomplete } from '@base-ui/react/autocomplete'
import { type KeyboardEvent, useRef, useState } from 'react'
import { parseSearch } from '#contract/search/parse-search.ts'
import type { Search, SearchFault } from '#contract/search/search.ts'
import { focusMain } from '#gallery/ui/keys/focus.ts'
import { ColouredCopy } from './coloured-copy.tsx'
import { type Completion, completionAt } from './completion-at.ts'
import { FIELD_ID, focusField, typeInField } from './field.ts'
import { FieldFrame, fieldClasses } from './field-frame.tsx'
import { forgetSearch, forgetSearches, rememberSearch } from './recent-searches.ts'
import { finishedFaults, placeOfFault, segmentsOf } from './search-marks.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { CLEAR_RECENT, type Suggestion } from './suggestions.ts'
import { useSearchText } from './use-search-text.ts'
import { useSuggestions } from './use-suggestions.ts'

/** `asked`: opened by an arrow key, also where only the beginning of a word could be completed. */
type Opening = 'closed' | 'typing' | 'asked'

interface SearchFieldProps {
  /** False if the server searches for words only. */
  hasConditions: boolean
}

/** The search field. It marks conditions, completes them, and shows what it could not understand. */
export function SearchField({ hasConditions }: SearchFieldProps) {
  const { typed, setTyped, searchNow, clear } = useSearchText()
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [opening, setOpening] = useState<Opening>('closed')
  const highlighted = useRef<Suggestion>(undefined)
  const search = hasConditions ? parseSearch(typed) : NO_CONDITIONS
  const faults = finishedFaults(typed, search, caret)
  const completion = hasConditions ? wantedCompletion(typed, search, caret, opening) : null
  const groups = useSuggestions(completion)
  const isShown = groups.length > 0

  const close = () => setOpening('closed')
  const finish = (text: string) => {
    searchNow(text)
    rememberSearch(text)
    close()
  }
  const choose = ({ id, text, goesOn }: Suggestion) => {
    if (id === CLEAR_RECENT) forgetSearches()
    if (text === undefined || completion === null) return
    const isSpaceNext = typed[completion.end] === ' '
    typeInField(completion, isSpaceNext ? text.trimEnd() : text)
    if (completion.type === 'search') finish(text)
    else setOpening(goesOn ? 'typing' : 'closed')
  }
  const handleEscape = () => {
    if (isShown) return close()
    clear()
    if (typed === '') focusMain()
  }
  const handleKey = (event: FieldKeyEvent) => {
    // The key belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && highlighted.current === undefined) finish(typed)
    if (!handlesKey(event)) return
    event.preventDefault()
    event.preventBaseUIHandler()
  }
  const handlesKey = ({ key, shiftKey }: FieldKeyEvent): boolean => {
    const { current: suggestion } = highlighted
    if (key === 'Escape') handleEscape()
    else if (suggestion === undefined) return false
    else if (key === 'Tab' && !shiftKey) choose(suggestion)
    else if (key === 'Delete' && suggestion.isRecent) forgetSearch(suggestion.label)
    else return false
    return true
  }

  return (
    <search className="min-w-0 flex-1">
      <Autocomplete.Root
        items={groups.flatMap(({ suggestions }) => suggestions)}
        itemToStringValue={({ id }) => id}
        mode="none"
        openOnInputClick
        open={isShown}
        onOpenChange={(isOpen, { reason }) => {
          if (reason === 'item-press' || reason === 'input-change') return
          setOpening(isOpen ? (reason === 'list-navigation' ? 'asked' : 'typing') : 'closed')
        }}
        value={typed}
        onValueChange={(value, { reason }) => {
          if (reason === 'item-press') {
            const chosen = groups
              .flatMap(({ suggestions }) => suggestions)
              .find(({ id }) => id === value)
            if (chosen) choose(chosen)
          } else if (reason === 'input-change') {
            setTyped(value)
            setCaret(input.current?.selectionStart ?? null)
            setOpening('typing')
          }
        }}
        // Not a state: a render for each highlight would give the list other items, and so another highlight.
        onItemHighlighted={(suggestion) => {
          highlighted.current = suggestion
        }}
      >
        <FieldFrame
          canClear={typed !== ''}
          onClear={() => {
            clear()
            focusField()
          }}
        >
          <ColouredCopy segments={segmentsOf(typed, search, faults)} input={input} />
          <Autocomplete.Input
            id={FIELD_ID}
            ref={input}
            type="search"
            dir="auto"
            aria-label="Search images"
            aria-describedby={faults.length > 0 ? `${FIELD_ID}-faults` : undefined}
            aria-invalid={faults.length > 0}
            placeholder="Search"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            {...(!hasConditions && PLAIN)}
            onFocus={() => typed === '' && setOpening('typing')}
            onBlur={() => {
              setCaret(null)
              rememberSearch(typed)
            }}
            onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
              setCaret(selectionStart === selectionEnd ? selectionStart : null)
            }
            onKeyDown={handleKey}
            className={`relative ${fieldClasses} bg-transparent`}
          />
        </FieldFrame>
        <SuggestionList groups={groups} />
      </Autocomplete.Root>
      <Faults typed={typed} faults={faults} />
    </search>
  )
}

const NO_CONDITIONS: Search = { terms: [], faults: [] }

/** The field has no list. */
const PLAIN = {
  role: 'searchbox',
  'aria-autocomplete': undefined,
  'aria-controls': undefined,
  'aria-expanded': undefined,
  'aria-haspopup': undefined,
} as const

type FieldKeyEvent = KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler: () => void }

const wantedCompletion = (
  typed: string,
  search: Search,
  caret: number | null,
  opening: Opening,
): Completion | null => {
  if (caret === null || opening === 'closed') return null
  const completion = completionAt(typed, search, caret)
  const isNew = completion?.type === 'key' && completion.typed === ''
  return isNew && opening !== 'asked' ? null : completion
}

/** The conditions that the search ignores. Screen readers announce it. */
const Faults = ({ typed, faults }: { typed: string; faults: readonly SearchFault[] }) => (
  <div id={`${FIELD_ID}-faults`} aria-live="polite" className="text-danger text-xs">
    {faults.map((fault) => {
      const { start, end } = placeOfFault(typed, fault)
      return (
        <p key={start} className="pt-1">
          <bdi className="font-semibold">{typed.slice(start, Math.min(end, start + 40))}</bdi>:{' '}
          {fault.message}
        </p>
      )
    })}
  </div>
)
