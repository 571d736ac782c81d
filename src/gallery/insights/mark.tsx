import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useContext,
  useState,
} from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { moveFocus } from '#gallery/ui/keys/move-focus.ts'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import { goToSearch } from '#gallery/url/change-search.ts'
import { formatPlace } from '#gallery/url/place.ts'
import { negated, withCondition } from '#gallery/url/typed-conditions.ts'
import { currentPlace, placeAfter } from '#gallery/url/use-place.ts'
import type { Plot, PlotValue } from './plot.ts'

/** Returns the text of a mark for its tooltip and for screen readers. */
export const markLabel = ({ label, count, bytes }: PlotValue, noun: Noun): string => {
  const counted = countOf(count, noun)
  return `${label}: ${bytes === undefined ? counted : `${formatBytes(bytes)}, ${counted}`}`
}

/** Returns the current place with one more condition. */
const placeWith = (condition: string) => ({
  query: withCondition(currentPlace().query, condition),
  image: null,
})

/** The images of a value, in the current search. */
const imagesOf = ({ condition }: PlotValue) => ({ ...placeWith(condition), page: null })

export const openValue = (value: PlotValue): void => goToSearch(imagesOf(value))

export const plotOnly = ({ condition }: PlotValue): void => goToSearch(placeWith(condition))

/** Removes a value from the plots. */
export const excludeValue = ({ condition }: PlotValue): void =>
  goToSearch(placeWith(negated(condition)))

/** Follows a click, unless the browser opens a new tab or window. With Alt it excludes the value. */
export const followClick = (event: MouseEvent, value: PlotValue): void => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  if (event.altKey) excludeValue(value)
  else openValue(value)
}

/** The focus of the marks of a plot. */
interface Marks {
  /** The mark where Tab enters. */
  readonly entry: string | undefined
  readonly enter: (id: string) => void
}

const MarksContext = createContext<Marks>({ entry: undefined, enter: () => undefined })

interface MarkProps {
  value: PlotValue
  noun: Noun
  children: ReactNode
}

/** A mark of a plot: a link to its images. */
export function Mark({ value, noun, children }: MarkProps) {
  const marks = useContext(MarksContext)
  const label = markLabel(value, noun)
  const excludeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== '-' && !(event.key === 'Enter' && event.altKey))
      return
    event.preventDefault()
    excludeValue(value)
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

interface PlotDrawingProps {
  /** Its values are those that have marks. */
  plot: Plot
  width: number
  height: number
  className: string
  children: ReactNode
}

/** The drawing of a plot. It is one tab stop: the arrow keys, Home and End move the focus from mark to mark. */
export function PlotDrawing(props: PlotDrawingProps) {
  const { plot, width, height, className, children } = props
  const [focused, setFocused] = useState<string | null>(null)
  const entry = plot.values.find(({ id }) => id === focused) ?? plot.values[0]
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no element for groups with names
    <svg
      role="group"
      aria-label={`${plot.title}, plotted`}
      width={width}
      height={height}
      className={className}
      onKeyDown={(event) => {
        if (moveFocus(event, '[data-mark]', { isSideways: true })) event.stopPropagation()
      }}
    >
      <MarksContext value={{ entry: entry?.id, enter: setFocused }}>{children}</MarksContext>
    </svg>
  )
}
