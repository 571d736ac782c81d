import { formatCount } from './count.ts'
import type { DragPayload } from './drag.ts'

const SIDE_PX = 88
const MAX_PICTURES = 3

/** Draws the stack that follows the pointer: up to three pictures and how many there are. */
export function drawDragPreview(
  container: HTMLElement,
  { previewUrls, count }: Pick<DragPayload, 'previewUrls' | 'count'>,
): void {
  const stack = document.createElement('div')
  stack.style.cssText = `position: relative; width: ${SIDE_PX + 28}px; height: ${SIDE_PX + 28}px;`
  for (const [depth, url] of [...previewUrls.slice(0, MAX_PICTURES).entries()].toReversed()) {
    const picture = document.createElement('img')
    picture.src = url
    picture.style.cssText = `position: absolute; left: ${4 + depth * 6}px; top: ${12 + depth * 6}px;
      width: ${SIDE_PX}px; height: ${SIDE_PX}px; object-fit: cover; border-radius: 6px;
      border: 2px solid var(--raised); background: var(--sunken); box-sizing: border-box;`
    stack.append(picture)
  }
  if (count > 1) {
    const badge = document.createElement('span')
    badge.textContent = formatCount(count)
    badge.style.cssText = `position: absolute; right: 0; top: 0; min-width: 24px; padding: 0 7px;
      border-radius: 12px; background: var(--accent); color: var(--accent-ink); box-sizing: border-box;
      font: 600 13px/24px ui-sans-serif, system-ui, sans-serif; text-align: center;`
    stack.append(badge)
  }
  container.append(stack)
}
