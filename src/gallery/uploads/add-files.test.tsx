import { IDBFactory } from 'fake-indexeddb'
import { createStore, keys } from 'idb-keyval'
import { expect, test, vi } from 'vitest'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { addDroppedItems, addFiles } from './add-files.ts'

/** A file whose size takes a millisecond, because the browser's process tells it. */
class SlowFile extends File {
  override get size(): number {
    const end = performance.now() + 1
    while (performance.now() < end);
    return 1
  }
}

test('shows the first files at once, and adds the others in slices and in order', async () => {
  const { uploads } = new PartInWindow().api
  uploads.pause()
  const names = Array.from({ length: 300 }, (_, at) => `${at}.png`)
  const found = names.map((name) => ({ name, folder: '', file: new SlowFile([], name) }))
  const namesInTray = () => uploads.store.current().uploads.map(({ fileName }) => fileName)

  const adding = addFiles(uploads, found, { boardId: null, label: 'Assets' })
  expect(namesInTray()[0]).toBe('0.png')
  expect(namesInTray().length).toBeLessThan(100)
  expect(uploads.store.current().readingCount).toBe(1)
  await adding

  expect(namesInTray()).toEqual(names)
  expect(uploads.store.current().readingCount).toBe(0)
})

/** An item of a drop. Chromium gives a folder the media type of its name. */
const itemOf = (name: string, isDirectory: boolean) => ({
  kind: 'file',
  type: 'image/png',
  getAsFile: () => new File(['x'], name, { type: 'image/png' }),
  webkitGetAsEntry: () => ({ name, isDirectory }),
})

test('takes a dropped folder as a folder even if it is named like an image', () => {
  const { uploads } = new PartInWindow().api
  uploads.pause()
  const transfer = { items: [itemOf('trip.png', true), itemOf('cat.png', false)] }
  const folders: string[] = []

  addDroppedItems(uploads, transfer as never, { boardId: null, label: 'Assets' }, (found) => {
    folders.push(...found.map(({ name }) => name))
  })

  expect(folders).toEqual(['trip.png'])
  expect(uploads.store.current().uploads.map(({ fileName }) => fileName)).toEqual(['cat.png'])
})

test('restores no file as one of an earlier page that was added to this page', async () => {
  // happy-dom has no IndexedDB.
  vi.stubGlobal('indexedDB', new IDBFactory())
  const { uploads } = new PartInWindow().api
  uploads.pause()
  const file = new File(['x'], 'cat.png', { type: 'image/png' })
  await addFiles(uploads, [{ name: 'cat.png', folder: '', file }], {
    boardId: null,
    label: 'Assets',
  })
  const stored = createStore('tessera-uploads', 'uploads')
  await vi.waitFor(async () => expect(await keys(stored)).toHaveLength(1))

  await uploads.restore()

  expect(uploads.store.current().uploads).toHaveLength(1)
})
