/**
 * The highest box that is laid out, in CSS pixels. Chromium's own limit is 33.5 million device pixels:
 * 11.2 million CSS pixels at a device ratio of 3.
 */
export const MAX_SCROLL_PX = 10_000_000

/** At both ends one pixel scrolled is one pixel of content; what is between them is compressed. */
const EXACT_PX = 2_500_000

/** How a scroll position stands for a place in content that may be higher than any box. */
export interface ScrollMapping {
  /** The height of the box that is scrolled, in pixels. */
  readonly boxPx: number
  /** The place in the content for a scroll position, both in pixels from the top. */
  toContent(scrollTop: number): number
  /** The scroll position for a place in the content: a whole number, as browsers keep it. */
  toScroll(contentTop: number): number
}

/** The mapping for content of a height, seen through a viewport. Plain until the content is too high. */
export function scrollMapping(contentPx: number, viewportPx: number): ScrollMapping {
  const lastContent = Math.max(0, contentPx - viewportPx)
  if (contentPx <= MAX_SCROLL_PX) {
    const within = (top: number) => Math.min(Math.max(0, top), lastContent)
    return { boxPx: contentPx, toContent: within, toScroll: (top) => Math.round(within(top)) }
  }

  const lastScroll = MAX_SCROLL_PX - viewportPx
  const middleScroll = lastScroll - 2 * EXACT_PX
  const middleContent = lastContent - 2 * EXACT_PX
  const ratio = middleContent / middleScroll
  return {
    boxPx: MAX_SCROLL_PX,
    toContent(scrollTop) {
      if (scrollTop <= EXACT_PX) return Math.max(0, scrollTop)
      if (scrollTop >= lastScroll - EXACT_PX) {
        return Math.min(lastContent, lastContent - (lastScroll - scrollTop))
      }
      return EXACT_PX + (scrollTop - EXACT_PX) * ratio
    },
    toScroll(contentTop) {
      if (contentTop <= EXACT_PX) return Math.max(0, Math.round(contentTop))
      if (contentTop >= lastContent - EXACT_PX) {
        return Math.min(lastScroll, Math.round(lastScroll - (lastContent - contentTop)))
      }
      return Math.round(EXACT_PX + (contentTop - EXACT_PX) / ratio)
    },
  }
}

/** A scroll position and the place in the content that it shows. */
export interface ScrollPlace {
  readonly scrollTop: number
  readonly contentTop: number
}

/**
 * What is shown after the scroll position has changed: a short way (wheel, keys, finger) moves the
 * content by as many pixels; a long one (the scrollbar's thumb) goes where the thumb stands.
 */
export function placeAfterScroll(
  mapping: ScrollMapping,
  before: ScrollPlace,
  scrollTop: number,
  viewportPx: number,
): ScrollPlace {
  const byThumb = mapping.toContent(scrollTop)
  const travelled = scrollTop - before.scrollTop
  const isLong = Math.abs(travelled) > 2 * viewportPx
  const isAtEnd = scrollTop <= 0 || scrollTop >= mapping.boxPx - viewportPx
  if (isLong || isAtEnd) return { scrollTop, contentTop: byThumb }
  const last = mapping.toContent(mapping.boxPx)
  const contentTop = Math.min(Math.max(0, before.contentTop + travelled), last)
  return { scrollTop, contentTop }
}
