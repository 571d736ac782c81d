import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { changedKeys, resetAllKeys } from '#gallery/ui/keys/key-settings.ts'
import { KeysDialog } from './keys-dialog.tsx'

const star = vi.fn()
const move = vi.fn()

function Page() {
  useCommands('Images', [
    { id: 'star', label: 'Star', keys: 's', run: star },
    { id: 'move', label: 'Move to board…', keys: 'm', run: move },
    { id: 'cut', label: 'Cut', keys: '$mod+x', areKeysNative: true, run: () => {} },
  ])
  return <KeysDialog isOpen onClose={() => {}} />
}

const user = userEvent.setup()

beforeEach(() => void render(<Page />))
afterEach(() => {
  act(resetAllKeys)
  vi.clearAllMocks()
})

const buttonOf = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^Change the shortcut of ${name}:`) })

/** Starts to change the keys of a command and presses keys. */
async function press(name: string, key: Partial<KeyboardEventInit>) {
  await user.click(buttonOf(name))
  const field = screen.getByRole('button', { name: `Press the new shortcut of ${name}` })
  expect(document.activeElement).toBe(field)
  act(() => void fireEvent.keyDown(field, key))
}

test('changes a key, shows it, and returns the focus', async () => {
  await press('Star', { key: 'G', code: 'KeyG', shiftKey: true })

  expect(changedKeys()).toEqual({ star: ['Shift+g'] })
  expect(within(buttonOf('Star')).getByText('G')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(buttonOf('Star')))
  expect(star).not.toHaveBeenCalled()
})

test('names the command that has the key, and gives the key to the new one on request', async () => {
  await press('Star', { key: 'm', code: 'KeyM' })

  expect(screen.getByRole('alert').textContent).toBe(
    'M is the shortcut of “Move to board” (Images).',
  )
  expect(changedKeys()).toEqual({})
  await user.click(screen.getByRole('button', { name: 'Use it here instead' }))

  expect(changedKeys()).toEqual({ star: ['m'], move: [] })
  expect(buttonOf('Move to board').textContent).toMatch(/Off$/)
})

test('refuses the keys of the browser', async () => {
  await press('Star', { key: 't', code: 'KeyT', ctrlKey: true })

  expect(screen.getByRole('alert').textContent).toBe('The browser uses Ctrl+T to open a tab.')
  expect(screen.queryByRole('button', { name: 'Use it here instead' })).toBeNull()
  expect(changedKeys()).toEqual({})
})

test('switches a key off and resets it', async () => {
  await user.click(buttonOf('Star'))
  await user.click(screen.getByRole('button', { name: 'Switch off' }))
  expect(changedKeys()).toEqual({ star: [] })

  await user.click(buttonOf('Star'))
  await user.click(screen.getByRole('button', { name: 'Reset' }))

  expect(changedKeys()).toEqual({})
  expect(within(buttonOf('Star')).getByText('S')).toBeDefined()
})

test('keeps the keys on Escape, and the dialog open', async () => {
  await press('Star', { key: 'Escape', code: 'Escape' })

  expect(changedKeys()).toEqual({})
  expect(buttonOf('Star')).toBeDefined()
})

test('resets all keys, and does not change those of the browser', async () => {
  await press('Star', { key: 'g', code: 'KeyG' })
  expect(screen.queryByRole('button', { name: /^Change the shortcut of Cut/ })).toBeNull()

  await user.click(screen.getByRole('button', { name: 'Reset all' }))

  expect(changedKeys()).toEqual({})
})

test('filters the commands by name', async () => {
  await user.type(screen.getByRole('searchbox', { name: 'Filter shortcuts' }), 'mov')

  expect(buttonOf('Move to board')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Change the shortcut of Star/ })).toBeNull()
})

test('links to the guide', () => {
  const link = screen.getByRole('link', { name: 'Guide' })

  expect(link.getAttribute('href')).toBe('help/index.html')
})
