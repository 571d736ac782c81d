import { render, waitFor } from '@testing-library/react'
import { useLayoutEffect, useRef } from 'react'
import { expect, test } from 'vitest'
import { useFocusGuard } from './focus.ts'

function Page({ hasButton }: { hasButton: boolean }) {
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
    </main>
  )
}

test('restores a focus that was set before the guard started', async () => {
  const page = render(<Page hasButton />)

  page.rerender(<Page hasButton={false} />)

  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
})
