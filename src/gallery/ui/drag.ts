import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { type RefObject, useEffect, useRef } from 'react'
import { drawDragPreview } from './drag-preview.ts'

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
