import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

/** A worker without answers, because happy-dom has no workers. Previews never appear. */
class SilentWorker extends EventTarget {
  postMessage() {}
  terminate() {}
}

test('disables Process with the reason if the server would refuse the size', async () => {
  const gallery = await GalleryInWindow.start({ maxPixels: 1_000_000 })
  vi.stubGlobal('Worker', SilentWorker)
  await gallery.api.uploadImage('a.png')
  const chain = [{ id: 1, step: { kind: 'resize', by: 'longest', sidePx: 100 } }]
  const persisted = JSON.stringify({ state: { steps: chain }, version: 0 })
  localStorage.setItem('tessera:process-chain', persisted)
  onTestFinished(() => localStorage.removeItem('tessera:process-chain'))
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')
  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'More' }))
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Process…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Process 1 image' }))
  const size = await dialog.findByRole('spinbutton', { name: 'Size' })
  const process = dialog.getByRole<HTMLButtonElement>('button', { name: 'Process 1 image' })

  fireEvent.change(size, { target: { value: '4000' } })

  await waitFor(() => expect(process.disabled).toBe(true))
  const reason = document.getElementById(process.getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toMatch(/^The server refuses step 1: .* its limit of 1,000,000\.$/)

  fireEvent.change(size, { target: { value: '100' } })
  await waitFor(() => expect(process.disabled).toBe(false))
})
