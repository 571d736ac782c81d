import { fireEvent, render as renderAlone, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { GenerationTile } from './generation-tile.tsx'
import { MoreTile } from './making-tile.tsx'

const generation = (change: Partial<Generation> = {}): Generation => ({
  itemId: 1,
  batchId: 'batch',
  status: 'in_progress',
  ahead: null,
  boardId: 'none',
  sizePx: { width: 512, height: 256 },
  step: 'Denoising',
  fraction: 0.4,
  preview: null,
  sessionId: null,
  imageNames: [],
  fault: null,
  since: 0,
  ...change,
})

const render = (part: ReactNode) => renderAlone(part, { wrapper: new PartInWindow().Wrapper })

const place = { column: 0, leftPx: 0, tilePx: 200, isEntry: true }

const renderTile = (change: Partial<Generation> = {}, fit: 'fit' | 'fill' = 'fill') =>
  render(<GenerationTile {...place} fit={fit} generation={generation(change)} />)

describe('GenerationTile', () => {
  test('shows the progress of a running generation', () => {
    renderTile()

    const ring = screen.getByRole('progressbar')
    expect(ring.getAttribute('aria-valuenow')).toBe('40')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined()
  })

  test('shows no percentage while the progress is unknown', () => {
    renderTile({ fraction: null })

    expect(screen.getByRole('progressbar').hasAttribute('aria-valuenow')).toBe(false)
  })

  test('shows the preview in the proportions of the image', () => {
    const { container } = renderTile({ preview: 'data:image/png;base64,AAAA' }, 'fit')

    const picture = container.querySelector<HTMLElement>('[style*=background-image]')
    expect(picture?.style.width).toBe('200px')
    expect(picture?.style.height).toBe('100px')
  })

  test('offers Retry and Dismiss after a failure, with the reason', () => {
    renderTile({ status: 'failed', fault: 'Out of memory' })

    expect(screen.getByRole('gridcell').textContent).toContain('Out of memory')
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Dismiss' })).toBeDefined()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test('offers no cancel once the generation is complete', () => {
    renderTile({ status: 'completed' })

    expect(screen.queryByRole('button')).toBeNull()
  })

  test('has only an icon in a small tile', () => {
    render(<GenerationTile {...place} tilePx={90} fit="fill" generation={generation()} />)

    expect(screen.getByRole('gridcell').textContent).not.toContain('Denoising')
  })
})

describe('MoreTile', () => {
  test('counts the other generations and opens the queue by click or Enter', () => {
    const open = vi.fn()
    render(<MoreTile {...place} count={1234} onOpenQueue={open} />)

    fireEvent.click(screen.getByRole('button', { name: 'and 1,234 more' }))
    fireEvent.keyDown(screen.getByRole('gridcell'), { key: 'Enter' })

    expect(open).toHaveBeenCalledTimes(2)
  })
})

describe('the focus of tiles', () => {
  const renderThree = () => {
    const { container } = render(
      // biome-ignore lint/a11y/useSemanticElements: as in the grid of the page
      <div role="grid" tabIndex={0}>
        {[1, 2, 3].map((itemId) => (
          <GenerationTile
            key={itemId}
            {...place}
            isEntry={itemId === 1}
            fit="fill"
            generation={generation({ itemId })}
          />
        ))}
      </div>,
    )
    const tiles = within(container).getAllByRole('gridcell')
    tiles[0]?.focus()
    return tiles
  }
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })

  test('moves between the tiles with arrow keys, Home and End', () => {
    const tiles = renderThree()

    press('ArrowRight')
    expect(document.activeElement).toBe(tiles[1])
    press('End')
    expect(document.activeElement).toBe(tiles[2])
    press('Home')

    expect(document.activeElement).toBe(tiles[0])
  })

  test.each([
    ['after the last tile', ['End', 'ArrowRight']],
    ['on Escape', ['Escape']],
  ])('enters the grid %s', (_, keys) => {
    const grid = renderThree()[0]?.closest('[role=grid]')

    for (const key of keys) press(key)

    expect(document.activeElement).toBe(grid)
  })

  test('makes one of the tiles a tab stop', () => {
    expect(renderThree().map((tile) => tile.tabIndex)).toEqual([0, -1, -1])
  })
})
