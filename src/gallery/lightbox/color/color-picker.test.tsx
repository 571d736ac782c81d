import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Extension } from '#contract/server/app-operations.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { ColorPicker } from './color-picker.tsx'
import { useColorPicker } from './use-color-picker.tsx'

/** An image of 100 x 100 pixels, whose columns have different colors. Shown at its size in a corner of the stage. */
const BOX = { left: 0, top: 0, right: 100, bottom: 100, width: 100, height: 100 } as DOMRect
const colorOf = (column: number) => [column, 0x80, 0xff, 255]

// happy-dom has neither layout nor canvas.
let readPixel: (column: number) => readonly number[]
beforeEach(() => {
  readPixel = colorOf
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(BOX)
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true)
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(100)
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(100)
  let drawnFrom = 0
  const context = {
    clearRect() {},
    drawImage: (_: unknown, x: number) => {
      drawnFrom = x
    },
    getImageData: (x: number) => ({ data: readPixel(drawnFrom + x) }),
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
})
afterEach(() => void vi.restoreAllMocks())

function Viewer({ onPick }: { onPick: (color: string) => void }) {
  const stage = useRef<HTMLDivElement>(null)
  const [isPicking, setIsPicking] = useState(true)
  return (
    <div role="dialog" aria-label="Image viewer" tabIndex={-1}>
      <div ref={stage}>
        <div className="viewed-picture">
          <img alt="A castle" src="castle.png" />
        </div>
        {isPicking && (
          <ColorPicker stage={stage} onPick={onPick} onClose={() => setIsPicking(false)} />
        )}
      </div>
      <details open>
        <summary>Raw metadata</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the text */}
        <pre tabIndex={0}>A long text</pre>
      </details>
    </div>
  )
}

/** Opens the picker over a viewer. Returns the picked colors, and the keys that the picker leaves to the viewer. */
function open() {
  const picked: string[] = []
  const keysOfViewer: string[] = []
  const noteKey = ({ key }: KeyboardEvent) => keysOfViewer.push(key)
  window.addEventListener('keydown', noteKey)
  onTestFinished(() => window.removeEventListener('keydown', noteKey))
  render(<Viewer onPick={(color) => picked.push(color)} />)
  return { picked, keysOfViewer }
}

const names = (name: string) => screen.findByRole('button', { name })

test('shows the color in the middle, moves with the arrow keys, and picks with Enter', async () => {
  const { picked, keysOfViewer } = open()
  const cover = await names('Pick the color #3280ff')
  expect(document.activeElement).toBe(cover)

  await userEvent.keyboard('{ArrowLeft}')
  await names('Pick the color #3180ff')
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}{ArrowDown}')
  await names('Pick the color #3b80ff')
  await userEvent.keyboard('{Enter}')

  expect(picked).toEqual(['#3b80ff'])
  expect(keysOfViewer).toEqual(['Shift'])
})

test('leaves Enter and Space to other controls', async () => {
  const { picked } = open()
  await names('Pick the color #3280ff')
  screen.getByText('Raw metadata').focus()

  await userEvent.keyboard('{Enter} ')

  expect(picked).toEqual([])
})

test('leaves all keys but Escape to a text that scrolls, and has them while nothing is focused', async () => {
  const { picked, keysOfViewer } = open()
  await names('Pick the color #3280ff')
  screen.getByText('A long text').focus()
  await userEvent.keyboard('{ArrowLeft}{Enter}')
  expect(keysOfViewer).toEqual(['ArrowLeft', 'Enter'])

  screen.getByRole('dialog').focus()
  await userEvent.keyboard('{ArrowLeft}')
  await names('Pick the color #3180ff')
  screen.getByText('A long text').focus()
  await userEvent.keyboard('{Escape}')

  expect(picked).toEqual([])
  expect(keysOfViewer).toEqual(['ArrowLeft', 'Enter'])
  expect(screen.queryByRole('button', { name: /^Pick the color/ })).toBeNull()
})

test('stays closed after another image was viewed', () => {
  const { api, Wrapper } = new PartInWindow()
  const { queryKey } = api.capabilities.query
  const extensions: Extension[] = ['likeness']
  api.queryClient.setQueryData(queryKey, (known) => known && { ...known, extensions })
  const stage = { current: null }
  const { result, rerender } = renderHook(
    (imageName: string) => useColorPicker({ imageName, stage, onOpen: () => {} }),
    { wrapper: Wrapper, initialProps: 'castle.png' },
  )
  act(() => result.current.commands[0]?.run())
  expect(result.current.picker).toBeTruthy()

  rerender('cat.png')
  rerender('castle.png')
  expect(result.current.picker).toBeFalsy()
})

test('picks where the pointer is released, also before the next frame', async () => {
  const { picked } = open()
  const cover = await names('Pick the color #3280ff')
  cover.setPointerCapture = () => {}

  fireEvent.pointerDown(cover, { clientX: 20, clientY: 5, isPrimary: true, button: 0 })
  fireEvent.pointerMove(cover, { clientX: 30, clientY: 5, isPrimary: true })
  fireEvent.pointerUp(cover, { clientX: 40.5, clientY: 5, isPrimary: true, button: 0 })

  expect(picked).toEqual(['#2880ff'])
})

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
])('%s closes it and nothing else', async (_, close) => {
  const { picked, keysOfViewer } = open()
  await names('Pick the color #3280ff')

  await close()

  expect(screen.queryByRole('button', { name: /^Pick/ })).toBeNull()
  expect([picked, keysOfViewer]).toEqual([[], []])
})

test('picks nothing from transparent pixels', async () => {
  readPixel = () => [0, 0, 0, 0]
  const { picked } = open()
  await screen.findByText('Transparent')

  await userEvent.keyboard('{Enter}')

  expect(picked).toEqual([])
})

test('says that another server does not let the page read its images', async () => {
  readPixel = () => {
    throw new DOMException('The canvas has been tainted', 'SecurityError')
  }
  const { picked } = open()
  await screen.findByText('The server of this image does not let this page read its colors')

  await userEvent.keyboard('{Enter}')

  expect(picked).toEqual([])
})
