import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { MAX_QUERY_LENGTH } from '#contract/limits.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { formatPlace, type Place } from '#gallery/url/place.ts'
import { withCondition } from '#gallery/url/typed-conditions.ts'
import { currentPlace, goTo, placeAfter } from '#gallery/url/use-place.ts'
import { negated, type PlotValue } from './plot.ts'

/** Returns the text of a mark for its tooltip and for screen readers. */
export const markLabel = ({ label, count, bytes }: PlotValue, noun: Noun): string => {
  const counted = countOf(count, noun)
  return `${label}: ${bytes === undefined ? counted : `${formatBytes(bytes)}, ${counted}`}`
}

/** The images of a value, in the current search. */
const imagesOf = ({ condition }: PlotValue): Partial<Place> => ({
  query: withCondition(currentPlace().query, condition),
  page: null,
  image: null,
})

/** Goes to the images of a value, or with Alt removes it from the plots. */
export const followValue = (value: PlotValue, isExcluded: boolean): void => {
  const exclusion = withCondition(currentPlace().query, negated(value.condition))
  const change = isExcluded ? { query: exclusion, image: null } : imagesOf(value)
  if ((change.query?.length ?? 0) <= MAX_QUERY_LENGTH) goTo(change)
  else showToast({ id: 'insights', tone: 'danger', title: 'The search has too many conditions.' })
}

/** Follows a click, unless the browser opens a new tab or window. */
export const followClick = (event: MouseEvent, value: PlotValue): void => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  followValue(value, event.altKey)
}

interface MarkProps {
  value: PlotValue
  noun: Noun
  marks: Marks
  children: ReactNode
}

/** A mark of a plot: a link to its images. */
export function Mark({ value, noun, marks, children }: MarkProps) {
  const label = markLabel(value, noun)
  const excludeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== '-' && !(event.key === 'Enter' && event.altKey))
      return
    event.preventDefault()
    followValue(value, true)
  }
  return (
    <a
      href={formatPlace(placeAfter(imagesOf(value)))}
      data-mark={value.id}
      aria-label={label}
      tabIndex={marks.entry === value.id ? 0 : -1}
      draggable={false}
      onFocus={() => marks.enter(value.id)}
      onClick={(event) => followClick(event, value)}
      onKeyDown={excludeByKey}
      className="group/mark cursor-pointer"
    >
      <title>{label}</title>
      {children}
    </a>
  )
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

/** The focus of the marks of a plot, which is one tab stop. */
export interface Marks {
  /** The mark where Tab enters. */
  readonly entry: string | undefined
  readonly enter: (id: string) => void
}

/** Makes a plot one tab stop: the arrow keys, Home and End move the focus in it. */
export function useMarks(values: readonly PlotValue[]) {
  const [focused, setFocused] = useState<string | null>(null)
  const entry = values.find(({ id }) => id === focused) ?? values[0]
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const step = steps[event.key]
    const found = [...event.currentTarget.querySelectorAll<SVGAElement>('[data-mark]')]
    const at = found.findIndex((mark) => mark.matches(':focus'))
    if (step === undefined || at < 0) return
    event.preventDefault()
    event.stopPropagation()
    found[step(at, found.length - 1)]?.focus()
  }
  return { marks: { entry: entry?.id, enter: setFocused }, onKeyDown }
}
