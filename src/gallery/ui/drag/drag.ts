import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { formatCount } from '#gallery/ui/text/count.ts'

/** The payload of a drag within the page. */
export type DragPayload = ImagesPayload | BoardPayload | SearchPayload

export interface BoardPayload {
  readonly kind: 'board'
  readonly boardId: string
  readonly boardName: string
}

export interface SearchPayload {
  readonly kind: 'search'
  readonly searchId: string
  readonly name: string
}

export interface ImagesPayload {
  readonly kind: 'images'
  readonly count: number
  /** Moves the images to the board on which they are dropped. */
  readonly moveTo: (boardId: string) => void
  /** Stars the images. */
  readonly star: () => void
  /** Rates the images. */
  readonly rate: (rating: number) => void
  /** Rates the images with a lower rating. */
  readonly raise: (rating: number) => void
  /** Adds a tag to the images. */
  readonly tag: (name: string) => void
  /** The board of all images, `none` for uncategorized; absent if they are on several boards. */
  readonly fromBoardId?: string | undefined
  /** Thumbnails for the drag preview, the topmost first. */
  readonly previewUrls: readonly string[]
  /** A file for drops on the desktop or other programs. */
  readonly file?: { readonly url: string; readonly name: string; readonly mediaType: string }
}

const PAYLOAD = Symbol('drag payload')

/** Returns the payload of one of our drags; `null` for other drags. */
export const payloadOf = (data: Record<string | symbol, unknown>): DragPayload | null =>
  (data[PAYLOAD] as DragPayload | undefined) ?? null

/** Makes an element draggable by mouse. `payload` is called when a drag starts; `null` prevents the drag. */
export function useDragSource(
  element: RefObject<HTMLElement | null>,
  payload: () => DragPayload | null,
): void {
  const newPayload = useEffectEvent(payload)
  useEffect(() => {
    const node = element.current
    if (node === null) return
    let pointerType = 'mouse'
    const notePointer = (event: PointerEvent) => {
      pointerType = event.pointerType
    }
    node.addEventListener('pointerdown', notePointer, true)
    let dragged: DragPayload | null = null
    const stopDragging = draggable({
      element: node,
      canDrag: ({ input }) => {
        // A long press selects, and Alt draws a marquee: neither starts a drag.
        const isDrag = pointerType !== 'touch' && !input.altKey
        dragged = isDrag ? newPayload() : null
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
          render: ({ container }) =>
            shown.kind === 'images'
              ? drawDragPreview(container, shown)
              : drawNamePreview(container, shown.kind === 'board' ? shown.boardName : shown.name),
        })
      },
    })
    return () => {
      node.removeEventListener('pointerdown', notePointer, true)
      stopDragging()
    }
  }, [element])
}

/** Returns data with which Chromium saves a file that is dropped on the desktop. */
function nativeDataOf(payload: DragPayload | null): Record<string, string> {
  if (payload?.kind !== 'images' || !payload.file) return {}
  const { url, name, mediaType } = payload.file
  const address = new URL(url, window.location.href).href
  return {
    DownloadURL: `${mediaType}:${name.replaceAll(':', '_')}:${address}`,
    'text/uri-list': address,
  }
}

const SIDE_PX = 88
const MAX_PICTURES = 3

/** Draws the preview at the pointer: up to three thumbnails and the number of images. */
function drawDragPreview(
  container: HTMLElement,
  { previewUrls, count }: Pick<ImagesPayload, 'previewUrls' | 'count'>,
): void {
  const stack = document.createElement('div')
  stack.style.cssText = `position: relative; width: ${SIDE_PX + 28}px; height: ${SIDE_PX + 28}px;`
  for (const [depth, url] of [...previewUrls.slice(0, MAX_PICTURES).entries()].toReversed()) {
    const picture = drawnPicture(url)
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

/** Returns a copy of a picture on the page. Firefox takes the preview before it has decoded a new image. */
function drawnPicture(url: string): HTMLElement {
  const { href } = new URL(url, document.baseURI)
  const shown = [...document.images].find(
    // A larger thumbnail has the same address with its size.
    ({ src, complete, naturalWidth }) => complete && naturalWidth > 0 && src.startsWith(href),
  )
  if (shown === undefined) return Object.assign(document.createElement('img'), { src: url })
  const canvas = document.createElement('canvas')
  canvas.width = shown.naturalWidth
  canvas.height = shown.naturalHeight
  canvas.getContext('2d')?.drawImage(shown, 0, 0)
  return canvas
}

function drawNamePreview(container: HTMLElement, text: string): void {
  const name = document.createElement('span')
  name.textContent = text
  name.style.cssText = `display: block; max-width: 240px; padding: 4px 12px; border-radius: 6px;
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap; box-sizing: border-box;
    border: 1px solid var(--line); background: var(--raised); color: var(--ink);
    font: 500 13px/20px ui-sans-serif, system-ui, sans-serif;`
  container.append(name)
}
