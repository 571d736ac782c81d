import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Segment } from './search-marks.ts'

const classesOf = ({ kind, isExcluded }: Segment): string => {
  switch (kind) {
    case null:
      return ''
    case 'fault':
      return 'underline decoration-danger decoration-wavy [text-decoration-skip-ink:none]'
    case 'or':
      return 'rounded-sm bg-line py-0.5'
    case 'not':
      return 'rounded-s-sm bg-danger/30 py-0.5'
    case 'key':
      return `rounded-s-sm py-0.5 ${isExcluded ? 'bg-danger/30' : 'bg-accent/30'}`
    case 'value':
      return `rounded-e-sm py-0.5 ${isExcluded ? 'bg-danger/15' : 'bg-accent/15'}`
  }
}

interface ColouredCopyProps {
  segments: readonly Segment[]
  /** The field in front of the copy. */
  input: RefObject<HTMLInputElement | null>
}

/**
 * A copy of the text behind a transparent field. It draws only backgrounds and underlines: the visible text, caret and
 * selection are those of the field.
 */
export function ColouredCopy({ segments, input }: ColouredCopyProps) {
  const copy = useRef<HTMLDivElement>(null)
  // The field scrolls while the user types, and when the caret moves.
  useLayoutEffect(() => {
    const field = input.current
    const follow = () => {
      if (copy.current && field) copy.current.scrollLeft = field.scrollLeft
    }
    follow()
    field?.addEventListener('scroll', follow, { passive: true })
    return () => field?.removeEventListener('scroll', follow)
  })
  return (
    <div
      ref={copy}
      aria-hidden
      dir="auto"
      data-coloured
      className="pointer-events-none absolute inset-y-0 right-[calc(2.25rem+1px)] left-[calc(2.25rem+1px)] overflow-hidden whitespace-pre text-sm text-transparent leading-9 forced-colors:hidden pointer-coarse:leading-11"
    >
      {segments.map((segment) => (
        <span key={segment.start} className={classesOf(segment)}>
          {segment.text}
        </span>
      ))}
      {/* The field scrolls a little further, to show the caret after the last letter. */}
      <span className="pr-1" />
    </div>
  )
}
