import { cleanup, render, waitFor } from '@testing-library/react'
import { useLayoutEffect, useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useFocusGuard } from './focus.ts'

afterEach(cleanup)

function Page({ hasButton, hasGrid = false }: { hasButton: boolean; hasGrid?: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  // Runs before the effect of the guard, like a user who is faster than it.
  useLayoutEffect(() => button.current?.focus(), [])
  useFocusGuard()
  return (
    <main tabIndex={-1}>
      {hasButton && (
        <button ref={button} type="button">
          Remove
        </button>
      )}
      {hasGrid && <Grid />}
    </main>
  )
}

const Grid = () => <div {...{ role: 'grid', tabIndex: 0 }} />

test('restores a focus that was set before the guard started', async () => {
  const page = render(<Page hasButton />)

  page.rerender(<Page hasButton={false} />)

  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
})

test('moves the focus to a grid that is rendered after the focus was lost', async () => {
  const page = render(<Page hasButton />)
  page.rerender(<Page hasButton={false} />)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))

  page.rerender(<Page hasButton={false} hasGrid />)

  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('grid'))
})

test('leaves the focus where the user has moved it before the grid is rendered', async () => {
  const page = render(<Page hasButton />)
  page.rerender(<Page hasButton={false} />)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
  const search = document.body.appendChild(document.createElement('input'))
  search.focus()

  page.rerender(<Page hasButton={false} hasGrid />)
  // Observers run in microtasks after the change.
  await new Promise((resolve) => setTimeout(resolve))

  expect(document.activeElement).toBe(search)
  search.remove()
})
