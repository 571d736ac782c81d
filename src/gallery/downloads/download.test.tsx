import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const openDialog = async (gallery: GalleryInWindow, title: string) => {
  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'More' }))
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Download…' }))
  return within(await screen.findByRole('dialog', { name: title }))
}

/** Collects the files that the page saves. */
const watchSaves = () => {
  const saved: { name: string; url: string }[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.download !== '') saved.push({ name: this.download, url: this.href })
  })
  onTestFinished(() => click.mockRestore())
  return saved
}

test('previews the names, says what is wrong with a pattern, and remembers the choices', async () => {
  localStorage.removeItem('tessera:download-form')
  const gallery = await GalleryInWindow.start()
  const saved = watchSaves()
  await gallery.api.uploadImage('a.png')
  await gallery.api.uploadImage('b.png')
  await gallery.open({ board: 'none' })
  await gallery.select('a.png', 'b.png')
  const dialog = await openDialog(gallery, 'Download 2 images')
  const names = dialog.getByRole('textbox', { name: 'File names' })
  const download = dialog.getByRole<HTMLButtonElement>('button', { name: 'Download' })

  await gallery.user.clear(names)
  await gallery.user.type(names, 'Trip/{{modle}')
  expect((await dialog.findByRole('alert')).textContent).toBe('There is no field “{modle}”.')
  expect(download.disabled).toBe(true)

  await gallery.user.clear(names)
  await gallery.user.type(names, 'Trip/{{index}')
  expect(dialog.queryByText(/keep their format/)).toBeNull()
  await gallery.user.selectOptions(dialog.getByRole('combobox', { name: 'Format' }), 'WebP')
  dialog.getByText('Videos and animated images keep their format and size.')
  const preview = within(await dialog.findByRole('list', { name: 'First file names' }))
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Trip/1.webp',
    'Trip/2.webp',
  ])
  await gallery.user.click(download)

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toMatchObject([{ name: expect.stringMatching(/^Images .*\.zip$/) }])
  const again = await openDialog(gallery, 'Download 2 images')
  expect(again.getByRole<HTMLInputElement>('textbox', { name: 'File names' }).value).toBe(
    'Trip/{index}',
  )
})
