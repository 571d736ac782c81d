/** A page of a list whose items of one kind come first: how many items it has, how many of that kind. */
export interface LeadingPage {
  readonly length: number
  readonly leading: number
}

/**
 * How many items of a list lead it, such as the starred ones where those come first. Looks at pages in
 * doubling steps and then halves the span, so that 10 are one request and 10,000 about a dozen.
 */
export async function countLeading(
  pageAt: (offset: number) => Promise<LeadingPage>,
  pageLength: number,
): Promise<number> {
  let known = 0
  let beyond = Number.POSITIVE_INFINITY
  let step = 0
  for (;;) {
    const offset =
      beyond === Number.POSITIVE_INFINITY
        ? step
        : known + Math.floor((beyond - known) / (2 * pageLength)) * pageLength
    const { length, leading } = await pageAt(offset)
    if (leading === 0) beyond = offset
    else if (leading < length || length < pageLength) return offset + leading
    else known = offset + pageLength
    if (known >= beyond) return known
    step = Math.max(pageLength, step * 2)
  }
}
