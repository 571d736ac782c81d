import type { FacetValue } from '#contract/search/facets.ts'
import {
  type SearchKey,
  searchKey,
  searchKeyNames,
  searchKeys,
} from '#contract/search/search-keys.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { quotedIfNeeded } from '#gallery/url/typed-conditions.ts'
import type { Completion } from './completion-at.ts'

/** A row of the list below the search field. */
export interface Suggestion {
  /** Unique in the list. */
  readonly id: string
  readonly label: string
  /** A muted text after the label. */
  readonly about?: string
  /** The text that replaces the completed place. Absent: a command. */
  readonly text?: string
  /** True if something is expected after the text, so that the list stays open. */
  readonly goesOn?: true
  /** Set for a search that the user can remove from the list. */
  readonly isRecent?: true
}

export interface SuggestionGroup {
  readonly label: string
  readonly suggestions: readonly Suggestion[]
}

export const CLEAR_RECENT = 'clear recent'

/** Searches that show beginners what is possible. */
const EXAMPLES = [
  ['model:flux', 'A model'],
  ['is:starred shape:portrait', 'Starred portraits'],
  ['steps>20 -has:lora', 'More than 20 steps, no LoRA'],
  ['after:7d', 'The last 7 days'],
] as const

export const recentAndExamples = (recent: readonly string[]): SuggestionGroup[] => [
  {
    label: 'Recent searches',
    suggestions: [
      ...recent.map((text) => ({
        id: `recent ${text}`,
        label: text,
        text,
        isRecent: true as const,
      })),
      ...(recent.length === 0 ? [] : [{ id: CLEAR_RECENT, label: 'Clear recent searches' }]),
    ],
  },
  {
    label: 'Examples',
    suggestions: EXAMPLES.map(([text, about]) => ({
      id: `example ${text}`,
      label: text,
      about,
      text,
    })),
  },
]

const KEY_AND_SIGN = /^[a-z]+(?:[<>]=?|[:=])/

/** Returns the keys whose name or label begins with a text. */
export const keySuggestions = (typed: string): SuggestionGroup => {
  const wanted = typed.toLowerCase()
  const keys = searchKeyNames.filter((key) => {
    const { label } = searchKey(key)
    return [key, ...label.toLowerCase().split(' ')].some((word) => word.startsWith(wanted))
  })
  return {
    label: 'Conditions',
    suggestions: keys.map((key) => {
      const { label, example } = searchKeys[key]
      const text = KEY_AND_SIGN.exec(example)?.[0] ?? `${key}:`
      return {
        id: `key ${key}`,
        label: text,
        about: `${label}, as in ${example}`,
        text,
        goesOn: true,
      }
    }),
  }
}

/** Returns the choices or the usual dates of a key. Values that the library has come from the server. */
export const valueSuggestions = (
  { key, typed }: Extract<Completion, { type: 'value' }>,
  today: Date,
): SuggestionGroup => {
  const { kind, label, choices = [] } = searchKey(key)
  const values = kind === 'date' ? datesOf(key, today) : choices.map((choice) => [choice])
  const begun = values.filter(([value = '']) => value.startsWith(typed.toLowerCase()))
  return {
    label,
    suggestions: begun.map(([value = '', about = '']) => ({
      id: `value ${value}`,
      label: value,
      about,
      text: `${quotedIfNeeded(value)} `,
    })),
  }
}

/** Returns values of the library. */
export const listedSuggestions = (
  key: SearchKey,
  values: readonly FacetValue[],
): SuggestionGroup => ({
  label: searchKey(key).label,
  suggestions: values.map(({ value, count }) => ({
    id: `value ${value}`,
    label: value,
    about: formatCount(count),
    text: `${quotedIfNeeded(value)} `,
  })),
})

const datesOf = (key: string, today: Date): string[][] => {
  const year = String(today.getFullYear())
  const month = `${year}-${String(today.getMonth() + 1).padStart(2, '0')}`
  return [
    ['today', 'Today'],
    ['yesterday', 'Yesterday'],
    ['7d', key === 'before' ? '7 days ago' : 'The last 7 days'],
    [month, 'This month'],
    [year, 'This year'],
  ]
}
