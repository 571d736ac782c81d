import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Folder } from 'lucide-react'
import { Suspense, useState } from 'react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { CommandPalette } from './command-palette.tsx'
import { DialogComing, PaletteComing } from './palette-coming.tsx'

const opened: string[] = []
const places = ['Castles', 'Cats'].map((name) => ({
  id: name,
  name,
  icon: Folder,
  open: () => void opened.push(name),
}))

/** A button that opens the palette. */
function Page({ Part }: { Part: typeof CommandPalette }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Suspense fallback={<PaletteComing onClose={close} />}>
          <Part
            content={{ commands: [], focused: document.activeElement }}
            places={places}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

const typed = () => screen.getByRole<HTMLInputElement>('combobox').value
const hasFocus = (name: string) => document.activeElement?.textContent === name

describe('while the palette loads', () => {
  let finishLoading: () => void
  beforeEach(async () => {
    opened.length = 0
    const loaded = Promise.withResolvers<typeof CommandPalette>()
    finishLoading = () => loaded.resolve(CommandPalette)
    render(<Page Part={lazyPart(() => loaded.promise)} />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  })

  test('loses no letter when the palette replaces its field', async () => {
    await userEvent.keyboard('cas')
    // The next letters come before the browser draws the palette.
    const frames: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => frames.push(draw))
    onTestFinished(() => {
      vi.unstubAllGlobals()
      // Base UI schedules no other frame before this one.
      for (const draw of frames) draw(performance.now())
    })
    finishLoading()
    await screen.findByRole('combobox')
    await userEvent.keyboard('tles')

    expect(typed()).toBe('castles')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Castles'])
  })

  test('Enter chooses the first match as soon as the palette has loaded, and only once', async () => {
    await userEvent.keyboard('cat{Enter}{Enter}s')
    expect(opened).toEqual([])
    finishLoading()

    await waitFor(() => expect(opened).toEqual(['Cats']))
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(hasFocus('Open')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    expect((await screen.findByRole<HTMLInputElement>('combobox')).value).toBe('')
    expect(opened).toEqual(['Cats'])
  })

  test('Enter chooses nothing if nothing matches', async () => {
    await userEvent.keyboard('dog{Enter}')
    finishLoading()
    await screen.findByText('Nothing matches “dog”.')
    await userEvent.clear(screen.getByRole('combobox'))

    expect(screen.getAllByRole('option')).toHaveLength(2)
    expect(opened).toEqual([])
  })

  test('Escape returns the focus, also after the palette has loaded', async () => {
    finishLoading()
    await screen.findByRole('combobox')
    await userEvent.keyboard('{Escape}')

    await waitFor(() => expect(hasFocus('Open')).toBe(true))
  })

  test('Escape closes the field, returns the focus and forgets its text', async () => {
    await userEvent.keyboard('cas{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(hasFocus('Open')).toBe(true)

    finishLoading()
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await screen.findByRole('combobox')
    expect(typed()).toBe('')
  })
})

test('Escape closes a dialog that loads, and does nothing else', async () => {
  const onClose = vi.fn()
  const onPage = vi.fn()
  window.addEventListener('keydown', onPage)
  onTestFinished(() => window.removeEventListener('keydown', onPage))
  render(<DialogComing onClose={onClose} />)

  await userEvent.keyboard('{Escape}')

  expect(onClose).toHaveBeenCalledOnce()
  expect(onPage).not.toHaveBeenCalled()
})
