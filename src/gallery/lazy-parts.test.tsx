import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lazyPart, preloadLazyParts } from './lazy-parts.ts'

test('loads no lazy parts if the page is closed early', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const cancel = preloadLazyParts()
  expect(vi.getTimerCount()).toBe(1)
  cancel()

  expect(vi.getTimerCount()).toBe(0)
})

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

const show = (Part: typeof Greeting) =>
  render(
    <Suspense fallback="Loading">
      <Part name="Ada" />
    </Suspense>,
  )

test('shows a part that is loaded without its fallback', async () => {
  const Part = lazyPart(async () => Greeting)
  await Part.preload()

  show(Part)

  expect(screen.getByText('Hello Ada')).toBeDefined()
})

test('loads a part that is shown', async () => {
  show(lazyPart(async () => Greeting))

  expect(screen.getByText('Loading')).toBeDefined()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})
