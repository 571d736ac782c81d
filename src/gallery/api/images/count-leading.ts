/** A page of a list that begins with the items of one kind: the number of all items, and of those of that kind. */
export interface LeadingPage {
  readonly length: number
  readonly leading: number
}

/**
 * Counts the leading items of a list, such as the starred images of a view that shows them first. An exponential
 * search followed by a binary search needs one request for 10 items and about a dozen for 10,000.
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
