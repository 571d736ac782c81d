import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Star } from 'lucide-react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useFileSource } from '#gallery/ui/files/use-file-source.ts'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { Tooltips } from '#gallery/ui/popups/tooltip.tsx'
import { IconButton } from './button.tsx'
import { listCommands } from './commands/registry.ts'
import { CopyButton } from './copy-button.tsx'
import { TextField } from './text-field.tsx'
import { showToast, Toaster } from './toasts/toast.tsx'
import { useElementSize } from './use-element-size.ts'
import { useMedia } from './use-media.ts'
import { useVirtualList } from './use-virtual-list.ts'
import { useSecondsUntil, WaitingForLimit } from './waiting-for-limit.tsx'

function Picture({ file }: { file: File | undefined }) {
  return <img ref={useFileSource(file)} alt="preview" />
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('IconButton', () => {
  test('has its label as name, and shows label and key in its tooltip', async () => {
    listCommands('Images', [{ id: 'star', label: 'Star', keys: '$mod+s' }])
    render(
      <>
        <IconButton label="Star this image" icon={Star} commandId="star" />
        <Tooltips />
      </>,
    )
    const button = screen.getByRole('button', { name: 'Star this image' })
    expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+s')

    await userEvent.hover(button)

    expect((await screen.findByText('Star this image')).textContent).toBe('Star this imageCtrl+S')
  })
})

describe('TextField', () => {
  test('connects the label and the error message with the input', () => {
    render(<TextField label="Name" fault="This name is taken" />)

    const input = screen.getByLabelText('Name')
    const fault = screen.getByRole('alert')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-describedby')).toBe(fault.id)
  })

  test('is valid without an error message', () => {
    render(<TextField label="Name" />)

    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('false')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('CopyButton', () => {
  test('copies the text and confirms it for a moment', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      clipboard: { writeText: async (text: string) => void copied.push(text) },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    render(<CopyButton label="Copy prompt" text="a castle" />)

    await act(async () => void fireEvent.click(screen.getByRole('button')))
    expect(copied).toEqual(['a castle'])
    expect(screen.getByText('Copied')).toBeDefined()
    act(() => vi.advanceTimersByTime(2000))

    expect(screen.queryByText('Copied')).toBeNull()
  })
})

describe('Dialog', () => {
  test('has its title as name, shows its actions, and closes on Escape', () => {
    const close = vi.fn()
    render(
      <Dialog
        isOpen
        onClose={close}
        title="Delete board?"
        actions={<button type="button">Delete</button>}
      />,
    )

    const dialog = screen.getByRole('dialog', { name: 'Delete board?' })
    expect(screen.getByRole('button', { name: 'Delete' })).toBeDefined()
    fireEvent.keyDown(dialog, { key: 'Escape' })

    expect(close).toHaveBeenCalled()
  })

  test('renders nothing while it is closed', () => {
    render(<Dialog isOpen={false} onClose={() => {}} title="Delete board?" />)

    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('showToast', () => {
  test('shows a toast, and closes it when its action runs', async () => {
    const restore = vi.fn()
    render(<Toaster />)

    act(
      () =>
        void showToast({ title: '3 images deleted', action: { label: 'Restore', run: restore } }),
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Restore' }))

    expect(restore).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByText('3 images deleted')).toBeNull())
  })

  test('replaces the toast with the same ID', async () => {
    render(<Toaster />)

    act(() => void showToast({ id: 'parts', title: '1 of 2' }))
    await screen.findByText('1 of 2')
    act(() => void showToast({ id: 'parts', title: '2 of 2' }))
    await screen.findByText('2 of 2')

    expect(screen.queryByText('1 of 2')).toBeNull()
  })
})

describe('useMedia', () => {
  test('follows the media query', () => {
    const media = Object.assign(new EventTarget(), { matches: false })
    vi.spyOn(window, 'matchMedia').mockReturnValue(media as unknown as MediaQueryList)
    const { result } = renderHook(() => useMedia('(pointer: coarse)'))
    expect(result.current).toBe(false)

    act(() => {
      media.matches = true
      media.dispatchEvent(new Event('change'))
    })

    expect(result.current).toBe(true)
  })
})

describe('useElementSize', () => {
  test('measures the element before the first paint', () => {
    const element = { current: document.createElement('div') }

    const { result } = renderHook(() => useElementSize(element))

    expect(result.current).toEqual({ widthPx: 1280, heightPx: 800 })
  })

  test('returns null without an element', () => {
    const { result } = renderHook(() => useElementSize({ current: null }))

    expect(result.current).toBeNull()
  })
})

describe('useFileSource', () => {
  test('shows a file, and revokes its URL with another file or on unmount', () => {
    const revoked: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${(file as File).name}`)
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.push(url))
    const { rerender, unmount } = render(<Picture file={new File([], 'a.png')} />)
    expect(screen.getByRole('img').getAttribute('src')).toBe('blob:a.png')

    rerender(<Picture file={new File([], 'b.png')} />)
    expect(screen.getByRole('img').getAttribute('src')).toBe('blob:b.png')
    unmount()

    expect(revoked).toEqual(['blob:a.png', 'blob:b.png'])
  })

  test('does nothing without a file', () => {
    render(<Picture file={undefined} />)

    expect(screen.getByRole('img').hasAttribute('src')).toBe(false)
  })
})

describe('useVirtualList', () => {
  test('returns the visible rows and the height of all rows', () => {
    const list = document.createElement('div')
    const { result } = renderHook(() =>
      useVirtualList({
        count: 1000,
        getScrollElement: () => list,
        estimateSize: () => 40,
        overscan: 4,
      }),
    )

    expect(result.current.totalPx).toBe(40_000)
    // The window is 800 px high.
    expect(result.current.items.length).toBeLessThan(40)
    expect(result.current.items[0]?.index).toBe(0)
  })
})

describe('useSecondsUntil', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 })
  })

  test('counts down to zero', () => {
    const { result } = renderHook(() => useSecondsUntil(1_002_500))
    expect(result.current).toBe(3)

    act(() => vi.advanceTimersByTime(500))
    expect(result.current).toBe(2)
    act(() => vi.advanceTimersByTime(2000))

    expect(result.current).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('starts again when the time changes', () => {
    const { result, rerender } = renderHook(({ until }) => useSecondsUntil(until), {
      initialProps: { until: 1_001_000 as number | null },
    })

    rerender({ until: 1_010_000 })
    expect(result.current).toBe(10)
    rerender({ until: null })

    expect(result.current).toBe(0)
  })

  test('shows at least one second while the page waits', () => {
    render(<WaitingForLimit until={999_000} />)

    expect(document.body.textContent).toContain('1 s')
  })
})
