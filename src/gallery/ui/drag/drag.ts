import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { type RefObject, useEffect, useRef } from 'react'
import { formatCount } from '#gallery/ui/text/count.ts'

/** What is dragged inside the page. */
export interface DragPayload {
  readonly kind: 'images'
  readonly count: number
  /** Called when it is dropped on a board. */
  readonly moveTo: (boardId: string) => void
  /** The board on which all of them are, `none` for uncategorized; absent where they are on several. */
  readonly fromBoardId?: string | undefined
  /** Pictures for the stack that follows the pointer, the topmost first. */
  readonly previewUrls: readonly string[]
  /** A file that the desktop or another program takes. */
  readonly file?: { readonly url: string; readonly name: string; readonly mediaType: string }
}

const PAYLOAD = Symbol('what is dragged')

/** What a drag carries, if it is one of ours. */
export const payloadOf = (data: Record<string | symbol, unknown>): DragPayload | null =>
  (data[PAYLOAD] as DragPayload | undefined) ?? null

let lastPointerType = 'mouse'
window.addEventListener('pointerdown', (event) => (lastPointerType = event.pointerType), true)

/** Makes an element draggable by mouse. `payload` is asked when a drag begins; `null`: none begins. */
export function useDragSource(
  element: RefObject<HTMLElement | null>,
  payload: () => DragPayload | null,
): void {
  const current = useRef(payload)
  useEffect(() => {
    current.current = payload
  })
  useEffect(() => {
    if (element.current === null) return
    let dragged: DragPayload | null = null
    return draggable({
      element: element.current,
      canDrag: ({ input }) => {
        // A resting finger selects, and Alt draws a marquee: neither drags.
        const isDrag = lastPointerType !== 'touch' && !input.altKey
        dragged = isDrag ? current.current() : null
        return dragged !== null
      },
      getInitialData: () => ({ [PAYLOAD]: dragged }),
      getInitialDataForExternal: () => nativeDataOf(dragged),
      onGenerateDragPreview: ({ nativeSetDragImage }) => {
        const shown = dragged
        if (shown === null) return
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
          render: ({ container }) => drawDragPreview(container, shown),
        })
      },
    })
  }, [element])
}

/** Chromium saves a file that is dropped on the desktop where it finds this. */
function nativeDataOf(payload: DragPayload | null): Record<string, string> {
  if (!payload?.file) return {}
  const { url, name, mediaType } = payload.file
  const address = new URL(url, window.location.href).href
  return {
    DownloadURL: `${mediaType}:${name.replaceAll(':', '_')}:${address}`,
    'text/uri-list': address,
  }
}

const SIDE_PX = 88
const MAX_PICTURES = 3

/** Draws the stack that follows the pointer: up to three pictures and how many there are. */
function drawDragPreview(
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
