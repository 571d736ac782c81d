import { act, fireEvent, render, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  changeKeys,
  resetAllKeys,
  resetKeys,
  setSingleKeys,
} from '#gallery/ui/keys/key-settings.ts'
import {
  reachableByIds,
  reachableCommands,
  useCommands,
  useKeyOf,
  useListedCommands,
} from './registry.ts'

const press = (target: Element = document.body) =>
  act(() => void fireEvent.keyDown(target, { key: 'm', code: 'KeyM' }))

const useShortcut = (run: () => void, options = {}) =>
  useCommands('Images', [{ id: 'move', keys: 'm', label: 'Move', run }], options)

const resetSettings = () => {
  setSingleKeys(true)
  resetAllKeys()
}

describe('useCommands', () => {
  // Other test files share the window, which keeps the settings of their user.
  beforeEach(resetSettings)
  afterEach(resetSettings)

  test('runs the latest action of a shortcut', () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const { rerender } = renderHook(({ run }) => useShortcut(run), { initialProps: { run: first } })

    rerender({ run: second })
    press()

    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledOnce()
  })

  test('ignores keys while the user types, and single keys if they are turned off', () => {
    const run = vi.fn()
    renderHook(() => useShortcut(run))
    const field = document.body.appendChild(document.createElement('textarea'))

    press(field)
    setSingleKeys(false)
    press()
    field.remove()

    expect(run).not.toHaveBeenCalled()
  })

  test('ignores keys of the page while a dialog is open', () => {
    const run = vi.fn()
    renderHook(() => useShortcut(run))
    const dialog = render(<div role="dialog" />)

    press()
    expect(run).not.toHaveBeenCalled()
    dialog.unmount()
    press()

    expect(run).toHaveBeenCalledOnce()
  })

  test('does not run after the component unmounts or is disabled', () => {
    const run = vi.fn()
    const { rerender, unmount } = renderHook(({ isOn }) => useShortcut(run, { when: () => isOn }), {
      initialProps: { isOn: false },
    })

    press()
    rerender({ isOn: true })
    unmount()
    press()

    expect(run).not.toHaveBeenCalled()
  })

  test('lists its commands, also after it unmounts', () => {
    // Other test files share the window, which lists the commands of their pages.
    const command = { id: 'registry.listed', keys: 'm', label: 'Listed', run: () => {} }
    renderHook(() => useCommands('Images', [command])).unmount()

    const { result } = renderHook(useListedCommands)

    expect(result.current.get('registry.listed')).toEqual({
      id: 'registry.listed',
      name: 'Listed',
      scopes: ['Images'],
      keys: 'm',
    })
  })

  test('uses a changed key instead of the default one, and no key if it is switched off', () => {
    const run = vi.fn()
    renderHook(() => useShortcut(run))

    act(() => changeKeys('move', ['Shift+g']))
    press()
    expect(run).not.toHaveBeenCalled()
    act(() => void fireEvent.keyDown(document.body, { key: 'G', code: 'KeyG', shiftKey: true }))
    expect(run).toHaveBeenCalledOnce()
    act(() => changeKeys('move', []))
    press()
    expect(run).toHaveBeenCalledOnce()
    act(() => resetKeys('move'))
    press()

    expect(run).toHaveBeenCalledTimes(2)
  })

  test('keeps the browser’s own keys of a command', () => {
    act(() => changeKeys('cut', ['g']))
    const cut = { id: 'cut', label: 'Cut', keys: '$mod+x', areKeysNative: true, run: () => {} }
    renderHook(() => useCommands('Images', [cut]))

    const { result } = renderHook(() => useKeyOf('cut'))

    expect(result.current).toBe('$mod+x')
  })
})

describe('reachableCommands', () => {
  test('returns the commands of the page, or those of the dialog that covers it', () => {
    const inDialog = { id: 'zoom', label: 'Zoom', run: () => {} }
    const dialog = document.createElement('div')
    renderHook(() => useShortcut(() => {}))
    renderHook(() => useCommands('Image viewer', [inDialog], { within: () => dialog }))

    expect(reachableCommands().map(({ id }) => id)).toEqual(['move', 'zoom'])
    dialog.role = 'dialog'
    document.body.append(dialog)

    expect(reachableCommands().map(({ id }) => id)).toEqual(['zoom'])
    dialog.remove()
  })

  test('returns the current labels, in the order of the IDs', () => {
    const star = { id: 'star', label: 'Star', run: () => {} }
    const now = () => [{ ...star, label: 'Unstar' }]
    renderHook(() => useShortcut(() => {}))
    renderHook(() => useCommands('Images', [star], { now }))

    const labels = reachableByIds(['star', 'missing', 'move']).map(({ label }) => label)

    expect(labels).toEqual(['Unstar', 'Move'])
  })
})
