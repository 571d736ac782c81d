/** Pictures that begin to load in one frame. Sixty at once, as after a jump, would block the page for 30 ms. */
const PER_FRAME = 16

const waiting = new Set<() => void>()
let frame = 0

/**
 * Has a picture begin to load when its turn comes, in the order of asking.
 *
 * @returns What takes it out of the queue again.
 */
export function queuePicture(begin: () => void): () => void {
  waiting.add(begin)
  if (frame === 0) frame = requestAnimationFrame(next)
  return () => waiting.delete(begin)
}

function next() {
  let begun = 0
  for (const begin of waiting) {
    if (begun === PER_FRAME) break
    waiting.delete(begin)
    begin()
    begun += 1
  }
  frame = waiting.size > 0 ? requestAnimationFrame(next) : 0
}
