import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { GridScroller, ScrollerContext } from '#gallery/images/grid/grid-scroller.ts'
import { resetSelection, selectImage } from '#gallery/images/selection/selection-store.ts'
import { recordOf, testView } from '#integration/grid-in-window.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { ImageTile } from './image-tile.tsx'
import { TilePartsContext } from './tile-drag-payload.ts'
import { TilePicture } from './tile-picture.tsx'
import { useGenerationCells } from './use-generation-cells.ts'

let part: PartInWindow
let scroller: GridScroller
beforeEach(() => {
  part = new PartInWindow()
  scroller = new GridScroller()
  resetSelection()
})
afterEach(() => vi.useRealTimers())

const Nothing = () => null

const Part = ({ children }: ComponentProps<typeof TilePartsContext>) => (
  <part.Wrapper>
    <ScrollerContext value={scroller}>{children}</ScrollerContext>
  </part.Wrapper>
)

describe('ImageTile', () => {
  const renderTile = (
    options: {
      isCursor?: boolean
      hasTouch?: boolean
      caption?: string[]
      starred?: boolean
      record?: Partial<ImageRecord>
      heightPx?: number
      tilePx?: number
    } = {},
  ) =>
    render(
      <TilePartsContext
        value={{
          drag: () => null,
          hasStar: true,
          hasTouch: options.hasTouch ?? false,
          captionOf: () => options.caption ?? [],
        }}
      >
        <ImageTile
          record={recordOf(7, { starred: options.starred ?? false, ...options.record })}
          position={3}
          column={1}
          leftPx={200}
          tilePx={options.tilePx ?? 184}
          heightPx={options.heightPx ?? 184}
          fit="fill"
          isCursor={options.isCursor ?? false}
        />
      </TilePartsContext>,
      { wrapper: Part as never },
    )

  test('has the place of its image in the grid', () => {
    renderTile()

    const tile = screen.getByRole('gridcell')
    expect(tile.id).toBe('image-3')
    expect(tile.getAttribute('aria-colindex')).toBe('2')
    expect(tile.style.left).toBe('200px')
  })

  test('has a badge if it is animated, unless there is no room for it', () => {
    const record = { is_animated: true, generator: 'a1111' } as const
    const { container, unmount } = renderTile({ record, starred: true })
    const tile = screen.getByRole('gridcell')
    expect(tile.getAttribute('aria-description')).toBe('Starred, Animated')
    expect(container.querySelector('[data-badge=animated]')).not.toBeNull()
    expect(tile.textContent).not.toContain('A1111')
    unmount()

    const low = renderTile({ record, heightPx: 50, tilePx: 100 })

    expect(low.container.querySelector('[data-badge=animated]')).toBeNull()
  })

  test('has the length of a video in its name, as its badge shows it', () => {
    const video = {
      duration: 65,
      fps: 25,
      codec: 'h264',
      has_sound: true,
      poster_ms: null,
    } as const
    const { unmount } = renderTile({ record: { video } })
    const tile = screen.getByRole('gridcell')
    expect(tile.getAttribute('aria-label')).toMatch(/, 1:05$/)
    expect(tile.getAttribute('aria-description')).toBe('Video, 1:05, with sound')
    unmount()

    renderTile({ record: { video }, heightPx: 40, tilePx: 40 })
    expect(screen.getByRole('gridcell').getAttribute('aria-label')).not.toContain('1:05')
  })

  test('shows that it is selected', () => {
    renderTile()
    expect(screen.getByRole('gridcell').getAttribute('aria-selected')).toBe('false')

    act(() => selectImage({ imageName: '7.png', position: 3 }))

    expect(screen.getByRole('gridcell').getAttribute('aria-selected')).toBe('true')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select' }).checked).toBe(true)
  })

  test('offers Star, or Unstar for a starred image', () => {
    renderTile({ starred: true })

    expect(screen.getByRole('button', { name: 'Unstar' })).toBeDefined()
    expect(screen.getByRole('gridcell').getAttribute('aria-description')).toBe('Starred')
  })

  test('has buttons only while it is starred, hovered, focused, selected or on a touch screen', () => {
    const buttons = () => document.querySelectorAll('[data-act]').length
    const { unmount } = renderTile()
    expect(buttons()).toBe(0)
    fireEvent.pointerOver(screen.getByRole('gridcell'), { pointerType: 'touch' })
    expect(buttons()).toBe(0)
    fireEvent.pointerOver(screen.getByRole('gridcell'), { pointerType: 'mouse' })
    expect(buttons()).toBe(2)
    fireEvent.pointerOut(screen.getByRole('gridcell'))
    expect(buttons()).toBe(0)
    unmount()

    for (const option of [{ starred: true }, { hasTouch: true }, { isCursor: true }]) {
      const tile = renderTile(option)
      expect(buttons(), JSON.stringify(option)).toBe('isCursor' in option ? 2 : 1)
      tile.unmount()
    }
  })

  test('includes its caption in the accessible name', () => {
    renderTile({ caption: ['Deleted today', ''] })

    expect(screen.getByRole('gridcell').getAttribute('aria-label')).toMatch(/, Deleted today$/)
  })
})

describe('TilePicture', () => {
  const picture = (number: number) => (
    <TilePicture record={recordOf(number)} tilePx={184} heightPx={184} fit="fit" />
  )
  const renderPicture = () => render(picture(7), { wrapper: Part as never })
  const image = (container: Element) => container.querySelector('img')

  test('loads the thumbnail at once if the page has shown no image yet', () => {
    const { container } = renderPicture()

    expect(image(container)?.getAttribute('src')).toContain('7.png')
  })

  test('requests its picture once, because Firefox restarts a repeated request', () => {
    const requested = vi.spyOn(HTMLImageElement.prototype, 'src', 'set')

    const { rerender } = renderPicture()
    rerender(picture(7))

    expect(requested.mock.calls).toEqual([[expect.stringContaining('7.png')]])
    requested.mockRestore()
  })

  test('takes the loaded picture of an image along to its new place', () => {
    const tiles = (...numbers: number[]) => (
      <>
        {numbers.map((number, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the grid reuses the tile of a place
          <div key={at}>{picture(number)}</div>
        ))}
      </>
    )
    const { container, rerender } = render(tiles(7, 6), { wrapper: Part as never })
    const [seven, six] = container.querySelectorAll('img')
    if (seven === undefined) throw new Error('The picture is missing.')
    fireEvent.load(seven)

    rerender(tiles(8, 7))

    const [, second] = container.querySelectorAll('[data-picture]')
    expect(second?.firstElementChild).toBe(seven)
    expect(six?.isConnected).toBe(false)
  })

  test('never shows the picture of another image that gets its place', () => {
    part.pictures.shown.add('any.webp')
    const { container, rerender } = renderPicture()
    const release = scroller.hold()

    rerender(picture(8))
    expect(image(container)).toBeNull()
    act(() => release())

    return waitFor(() => expect(image(container)?.getAttribute('src')).toContain('8.png'))
  })

  test('waits for its turn during fast scrolling', async () => {
    const release = scroller.hold()
    const { container } = renderPicture()
    expect(image(container)).toBeNull()

    act(() => release())

    await waitFor(() => expect(image(container)).not.toBeNull())
  })

  test('remembers a picture that was shown', () => {
    const { container } = renderPicture()

    fireEvent.load(image(container) as Element)

    expect(part.pictures.shown.hasAny).toBe(true)
  })

  test('keeps the proportions of the image', () => {
    const { container } = renderPicture()

    const box = container.querySelector<HTMLElement>('[data-picture]')
    expect([box?.style.width, box?.style.height]).toEqual(['184px', '138px'])
  })

  test('requests a missing thumbnail again, then the full image, and then gives up', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { container } = renderPicture()

    fireEvent.error(image(container) as Element)
    expect(image(container)).toBeNull()
    act(() => vi.advanceTimersByTime(1000))
    expect(image(container)?.getAttribute('src')).toContain('thumbnail')
    fireEvent.error(image(container) as Element)
    expect(image(container)?.getAttribute('src')).toContain('full')
    fireEvent.error(image(container) as Element)

    expect(screen.getByTitle('Couldn’t load this image')).toBeDefined()
  })
})

describe('useGenerationCells', () => {
  const generation = (itemId: number, change: Partial<Generation> = {}) =>
    ({ itemId, status: 'pending', imageNames: [], sessionId: null, ...change }) as Generation
  const of = (...generations: Generation[]) => ({
    generations,
    unknownCount: 0,
    Tile: Nothing,
    More: Nothing,
  })
  const renderCells = (...generations: Generation[]) =>
    renderHook(({ viewGenerations }) => useGenerationCells(testView, viewGenerations, 5, false), {
      wrapper: part.Wrapper,
      initialProps: { viewGenerations: of(...generations) },
    })
  const idsOf = (cells: ReturnType<typeof useGenerationCells>) =>
    cells.map(({ generation: one }) => one?.itemId ?? 'more')

  test('returns one cell per generation, and a cell for the rest', () => {
    const { result } = renderCells(...[1, 2, 3, 4, 5, 6].map((itemId) => generation(itemId)))

    expect(idsOf(result.current)).toEqual([1, 2, 3, 4, 'more'])
  })

  test('keeps the tiles of waiting generations when the queue moves on', () => {
    const { result, rerender } = renderCells(...[1, 2, 3, 4, 5, 6].map((id) => generation(id)))

    rerender({ viewGenerations: of(...[2, 3, 4, 5, 6].map((id) => generation(id))) })

    expect(idsOf(result.current)).toEqual([2, 3, 4, 'more'])
  })

  test('drops a completed generation in the render that shows its image', () => {
    part.cacheWindows(3)

    const { result } = renderCells(
      generation(1, { status: 'completed', imageNames: ['3.png'] }),
      generation(2),
    )

    expect(idsOf(result.current)).toEqual([2])
  })
})
