/** Maximum height of the scrolled box, in CSS pixels. Chromium's limit at a device pixel ratio of 3 is 11.2 million. */
export const MAX_SCROLL_PX = 10_000_000

/** Within this distance of both ends, one scrolled pixel is one pixel of content. The range between is compressed. */
const EXACT_PX = 2_500_000

/** Maps scroll positions to positions in content that may be higher than the maximum box. */
export interface ScrollMapping {
  /** Height of the scrolled box, in pixels. */
  readonly boxPx: number
  /** Returns the content position for a scroll position, both in pixels from the top. */
  toContent(scrollTop: number): number
  /** Returns the scroll position for a content position. It is a whole number, because browsers round it. */
  toScroll(contentTop: number): number
}

/** Creates the mapping for content of this height: the identity until the content exceeds the maximum box. */
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

/** A scroll position and the content position that it shows. */
export interface ScrollPlace {
  readonly scrollTop: number
  readonly contentTop: number
}

/**
 * Returns the place after the scroll position has changed. A short distance (wheel, keys, touch) moves the content by
 * the same number of pixels. A long distance (dragging the scrollbar thumb) jumps to the mapped position.
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
