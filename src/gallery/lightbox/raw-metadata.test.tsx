import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { RawMetadata } from './raw-metadata.tsx'

const open = (summary: string) =>
  act(async () => screen.getByText(summary).closest('details')?.setAttribute('open', ''))

test('shows the beginning of a long text, and the rest on request', async () => {
  const part = new PartInWindow()
  const parameters = `a fox ${'x'.repeat(150_000)}`
  const { queryKey } = metadataQueries(part.api.client).raw('c.png')
  part.api.queryClient.setQueryData(queryKey, { parameters, sidecars: { 'c.json': '{"seed":7}' } })
  render(<RawMetadata imageName="c.png" />, { wrapper: part.Wrapper })
  const user = userEvent.setup()

  await open('Raw metadata')
  await open('c.json')
  expect(screen.getByText(/"seed": 7/).textContent).toBe('{\n  "seed": 7\n}')
  await open('parameters')
  const text = screen.getByText(/^a fox x/)
  expect(text.textContent).toHaveLength(20_001)
  await user.click(screen.getByRole('button', { name: 'Show more (130,006 characters left)' }))
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(text.textContent).toBe(parameters)
})
