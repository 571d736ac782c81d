import { render, screen } from '@testing-library/react'
import { Component, type ReactNode, Suspense } from 'react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.ts'

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

class Boundary extends Component<{ children: ReactNode }, { message: string }> {
  override state = { message: '' }
  static getDerivedStateFromError = ({ message }: Error) => ({ message })
  override render = () => this.state.message || this.props.children
}

describe('while the server is away', () => {
  /** The answer of the server; null: it is away. */
  let server: Response | null
  const load = async () => {
    if (server?.ok !== true) throw new TypeError('Failed to fetch dynamically imported module')
    return Greeting
  }
  beforeEach(() => {
    server = null
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    vi.stubGlobal('fetch', async () => {
      if (server === null) throw new TypeError('Failed to fetch')
      return server
    })
    onTestFinished(() => void vi.unstubAllGlobals())
  })
  const showIn = (part: typeof load) => {
    const Part = lazyPart(part)
    render(
      <Boundary>
        <Suspense fallback="Loading">
          <Part name="Ada" />
        </Suspense>
      </Boundary>,
    )
  }

  test('waits for the server and for the proxy in front of it', async () => {
    showIn(load)
    await vi.advanceTimersByTimeAsync(5_000)
    server = new Response(null, { status: 502 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(screen.getByText('Loading')).toBeDefined()

    server = new Response()
    await vi.advanceTimersByTimeAsync(1_000)

    vi.useRealTimers()
    expect(await screen.findByText('Hello Ada')).toBeDefined()
  })

  test('fails if the server is there without the part', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    server = new Response()
    showIn(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))

    await vi.advanceTimersByTimeAsync(1_000)

    vi.useRealTimers()
    expect(await screen.findByText(/^Failed to fetch/)).toBeDefined()
  })
})
