import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Toaster } from '#gallery/ui/toasts/toast.tsx'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { PageDropZone } from './page-drop-zone.tsx'

test('says what to do if another page drops the address of a picture only', async () => {
  const { Wrapper } = new PartInWindow()
  const target = { boardId: null, label: 'Assets' }
  const { container } = render(
    <PageDropZone target={target}>
      <main>Images</main>
      <Toaster />
    </PageDropZone>,
    { wrapper: Wrapper },
  )
  const drop = (types: string[]) =>
    fireEvent.drop(screen.getByText('Images'), { dataTransfer: { types, files: [], items: [] } })

  drop(['text/plain'])
  drop(['Files', 'text/uri-list'])
  expect(container.textContent).not.toContain('Copy the picture')
  drop(['text/uri-list'])

  await screen.findByText(
    'The other page gave only an address. Copy the picture and paste it here.',
  )
})
