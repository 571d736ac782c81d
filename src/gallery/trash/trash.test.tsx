import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

/** Uploads images and moves them to the trash. The last one is first there. */
const fillTrash = async (...names: string[]) => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(names, { board: 'Portraits' })
  const images = await gallery.api.imagesOn('Portraits')
  for (const name of names) {
    const image = images.find(({ file_name }) => file_name === name)
    await gallery.api.client.trash.trashImages([image?.image_name ?? ''])
  }
}

/** Opens the context menu of an image and chooses a command. */
const chooseFor = async (fileName: string, command: string) => {
  await gallery.user.pointer({ keys: '[MouseRight]', target: await gallery.image(fileName) })
  await gallery.user.click(await screen.findByRole('menuitem', { name: command }))
}

/** Waits until the selection bar shows how many images are selected. */
const selected = (text: string) =>
  waitFor(() => {
    expect(screen.getByRole('toolbar', { name: 'Selection' }).textContent).toContain(text)
  })

/** Confirms that images are permanently deleted. */
const confirm = async (title: string) => {
  const dialog = await screen.findByRole('dialog', { name: title })
  await gallery.user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))
}

test('restores a deleted image by Undo', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })

  await gallery.deleteImage('a.png')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png']))
  await gallery.undo()

  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
  await expect.poll(() => gallery.api.namesOn()).toEqual(['b.png', 'a.png'])
})

test('undoes the last change from the sidebar @long', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('a.png')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png']))

  await gallery.press('Undo last change')

  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
})

test('shows a deleted image in the trash and restores it', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.deleteImage('a.png')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png']))

  await gallery.openBoard('Trash')
  await gallery.select('a.png')
  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'Restore' }))

  await screen.findByText('The trash is empty')
  await gallery.openBoard('Portraits')
  await gallery.image('a.png')
})

test('restores a board from the trash with its images', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open()
  await gallery.deleteBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(false))

  await gallery.openBoard('Trash')
  await gallery.press('Restore Portraits')

  await waitFor(() => expect(gallery.countOn('Portraits')).toBe('2'))
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['b.png', 'a.png'])
})

test('empties the trash permanently after a confirmation', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('a.png')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['a.png'])
  await gallery.openBoard('Trash')

  await gallery.press('Empty trash…')
  const dialog = await screen.findByRole('dialog', { name: 'Empty the trash?' })
  expect(dialog.textContent).toContain('1 image')
  await gallery.user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))

  await screen.findByText('The trash is empty')
  await gallery.toast('1 image deleted for good')
  expect(await gallery.api.trashedNames()).toEqual([])
  expect(await gallery.api.namesOn()).toEqual(['b.png'])
})

test('empties the trash after earlier deletes, with the announced number of images @long', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('a.png')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['a.png'])
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  gallery.onRequest = ({ method, path }) => {
    if (method !== 'POST' || !path.startsWith('/api/v1/trash/images')) return
    asked.resolve()
    return answer.promise
  }
  await gallery.deleteImage('b.png')
  await asked.promise
  await gallery.deleteImage('c.png')

  await gallery.openBoard('Trash')
  await gallery.press('Empty trash…')
  const dialog = await screen.findByRole('dialog', { name: 'Empty the trash?' })
  await waitFor(() => expect(dialog.textContent).toContain('3 images'))
  await gallery.user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(gallery.tiles()).toEqual([]))
  await gallery.openBoard('Assets')
  await gallery.deleteImage('d.png')
  expect(await gallery.api.trashedNames()).toEqual(['a.png'])
  answer.resolve()

  await gallery.toast('3 images deleted for good')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['d.png'])
})

test('shows the board and the remaining days of each image', async () => {
  await fillTrash('a.png')
  await gallery.open({ board: 'trash' })

  const tile = await gallery.image('a.png')

  expect(tile.textContent).toContain('Portraits')
  expect(tile.getAttribute('aria-label')).toMatch(/., Portraits, 30 days left$/)
  expect(within(tile).queryByRole('button', { name: 'Star' })).toBeNull()
})

test('shows the deleted board and the remaining days of an image, also in the viewer @long', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png'], { board: 'Portraits' })
  const [board] = await gallery.api.client.boardOperations.list()
  await gallery.api.client.trash.trashBoard(board?.board_id ?? '', { includeImages: true })
  await gallery.open({ board: 'trash' })

  const tile = await gallery.image('a.png')
  await waitFor(() => expect(tile.textContent).toContain('Portraits (deleted)'))
  await gallery.user.dblClick(tile)
  const viewer = await screen.findByRole('dialog', { name: 'Image viewer' })
  await waitFor(() => {
    expect(within(viewer).getByRole('banner').textContent).toContain(
      'Portraits (deleted) · 30 days left',
    )
  })
  await gallery.user.keyboard('i')
  const details = await screen.findByRole('complementary', { name: 'Details' })
  await waitFor(() => expect(details.textContent).toContain('Time left30 days left'))
})

test('sorts the trash, and remembers the order @long', async () => {
  await fillTrash('b.png', 'a.png', 'c.png')
  await gallery.open({ board: 'trash' })
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'a.png', 'b.png']))

  await gallery.sort('Name')
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png', 'b.png', 'c.png']))
  await gallery.openBoard('Portraits')
  await gallery.openBoard('Trash')
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png', 'b.png', 'c.png']))
  await gallery.select('b.png')
  await gallery.user.keyboard('r')

  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png', 'c.png']))
  await gallery.sort('Date deleted')
  await gallery.sort('Oldest first')
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png', 'c.png']))
})

test('restores an image from the context menu, and Undo trashes it again @long', async () => {
  await fillTrash('a.png', 'b.png', 'c.png')
  await gallery.open({ board: 'trash' })

  await chooseFor('b.png', 'Restore')

  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'a.png']))
  await selected('1 image')
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['b.png'])
  expect(gallery.countOn('Trash')).toBe('2')
  await gallery.undo()
  await waitFor(() => expect(gallery.tiles().toSorted()).toEqual(['a.png', 'b.png', 'c.png']))
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual([])
})

test('restores the selection to another board with M, with Undo and Redo @long', async () => {
  await fillTrash('a.png', 'b.png', 'c.png')
  await gallery.api.createBoard('Castles')
  await gallery.open({ board: 'trash' })
  const { user } = gallery

  await gallery.select('c.png', 'a.png')
  await user.keyboard('m')
  await screen.findByPlaceholderText('Restore 2 images to…')
  await user.keyboard('Cast{Enter}')

  await gallery.toast('Restored 2 images to Castles')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png']))
  await expect.poll(() => gallery.api.namesOn('Castles')).toHaveLength(2)
  await gallery.undo()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))
  for (const name of ['a.png', 'c.png']) {
    expect((await gallery.image(name)).textContent).toContain('Portraits')
  }
  await expect.poll(() => gallery.api.namesOn('Castles')).toEqual([])
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expect.poll(() => gallery.api.namesOn('Castles')).toHaveLength(2)
})

test('says that an image of a deleted board is restored to Assets, and Undo shows its board', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png'], { board: 'Portraits' })
  const [board] = await gallery.api.client.boardOperations.list()
  await gallery.api.client.trash.trashBoard(board?.board_id ?? '', { includeImages: true })
  await gallery.open({ board: 'trash' })
  await screen.findByText(/restored without their board go to Assets/)

  await chooseFor('a.png', 'Restore to Assets')

  await expect.poll(() => gallery.api.namesOn()).toEqual(['a.png'])
  await gallery.undo()
  await waitFor(async () => {
    expect((await gallery.image('a.png')).textContent).toContain('Portraits (deleted)')
  })
})

test('deletes an image permanently from the context menu after a confirmation @long', async () => {
  await fillTrash('a.png', 'b.png')
  await gallery.open({ board: 'trash' })

  await chooseFor('a.png', 'Delete for good…')
  await gallery.press('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(gallery.tiles()).toEqual(['b.png', 'a.png'])
  await chooseFor('a.png', 'Delete for good…')
  await confirm('Delete 1 image for good?')

  await gallery.toast('1 image deleted for good')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png']))
  expect(await gallery.api.trashedNames()).toEqual(['b.png'])
})

test('selects with clicks, Ctrl, Shift, arrows and Ctrl+A as in other views @long', async () => {
  await fillTrash('a.png', 'b.png', 'c.png', 'd.png')
  await gallery.open({ board: 'trash' })
  const { user } = gallery

  await gallery.select('d.png', 'b.png')
  await selected('2 images')
  await user.click(await gallery.image('c.png'))
  await selected('1 image')
  await user.keyboard('{Shift>}')
  await user.click(await gallery.image('a.png'))
  await user.keyboard('{/Shift}')
  await selected('3 images')
  await user.keyboard('{Control>}a{/Control}')
  await selected('4 images')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull())
  await user.keyboard('{Home}{Shift>}{ArrowRight}{/Shift}')
  await selected('2 images')
})

test('restores the selection with R, and deletes permanently with Delete', async () => {
  await fillTrash('a.png', 'b.png', 'c.png', 'd.png')
  await gallery.open({ board: 'trash' })
  const { user } = gallery

  await gallery.select('d.png', 'b.png')
  await user.keyboard('r')
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'a.png']))
  await expect.poll(async () => (await gallery.api.trashedNames()).length).toBe(2)
  await user.keyboard('{Control>}a{/Control}{Delete}')
  await confirm('Delete 2 images for good?')

  await screen.findByText('The trash is empty')
  await gallery.toast('2 images deleted for good')
  expect(await gallery.api.trashedNames()).toEqual([])
  expect(await gallery.api.namesOn('Portraits')).toHaveLength(2)
})

test('shows count and size before images are deleted, for all of them and for a few', async () => {
  await fillTrash('a.png', 'b.png', 'c.png')
  const { items } = await gallery.api.client.trash.list({ offset: 0, limit: 3 })
  const sizes = items.map(({ file_size }) => file_size ?? 0)
  const sizeOf = (count: number) =>
    formatBytes(sizes.slice(0, count).reduce((sum, size) => sum + size, 0))
  await gallery.open({ board: 'trash' })

  await gallery.select('c.png', 'b.png')
  await gallery.user.keyboard('{Delete}')
  await screen.findByText(new RegExp(`^2 images, ${sizeOf(2)}\\. The files`))
  await gallery.press('Cancel')
  await gallery.user.keyboard('{Control>}a{/Control}{Delete}')
  await screen.findByText(new RegExp(`^3 images, ${sizeOf(3)}\\. The files`))
  await gallery.press('Cancel')
  await gallery.press('Empty trash…')
  await screen.findByText(new RegExp(`^3 images, ${sizeOf(3)} will be deleted`))
})

test('spares an image that was trashed after the delete was requested @long', async () => {
  await fillTrash('a.png', 'b.png')
  await gallery.api.uploadImage('c.png')
  await gallery.open({ board: 'trash' })
  await gallery.image('b.png')

  await gallery.user.keyboard('{Control>}a{/Control}{Delete}')
  const dialog = await screen.findByRole('dialog', { name: 'Delete 2 images for good?' })
  const [late] = await gallery.api.imagesOn()
  await gallery.api.client.trash.trashImages([late?.image_name ?? ''])
  await gallery.user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))

  await gallery.toast('2 images deleted for good')
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png']))
  expect(await gallery.api.trashedNames()).toEqual(['c.png'])
})

test('shows images again that the server refuses to delete @long', async () => {
  await fillTrash('a.png', 'b.png')
  await gallery.open({ board: 'trash' })
  gallery.onRequest = ({ method, path }) => {
    if (method === 'POST' && path.includes('delete')) throw new TypeError('no answer')
  }

  await chooseFor('a.png', 'Delete for good…')
  await confirm('Delete 1 image for good?')

  await gallery.toast('Could not delete 1 image')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
  await waitFor(() => expect(gallery.countOn('Trash')).toBe('2'))
})

test('pages, restores and deletes in the viewer of the trash @long', async () => {
  await fillTrash('a.png', 'b.png', 'c.png', 'd.png')
  await gallery.open({ board: 'trash' })
  const { user } = gallery
  const shows = (text: string) =>
    waitFor(() => {
      const viewer = screen.getByRole('dialog', { name: 'Image viewer' })
      expect(viewer.textContent).toContain(text)
    })

  await user.dblClick(await gallery.image('d.png'))
  await shows('1 of 4')
  await user.keyboard('{ArrowRight}')
  await shows('2 of 4')
  await user.keyboard('r')
  await shows('2 of 3')
  await shows('b.png')
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['c.png'])
  await user.keyboard('{Delete}')
  await confirm('Delete 1 image for good?')
  await shows('2 of 2')
  await shows('a.png')
  await user.keyboard('{Escape}')

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(gallery.tiles()).toEqual(['d.png', 'a.png']))
  expect(await gallery.api.trashedNames()).toEqual(['d.png', 'a.png'])
})

test('restores boards and images with "Restore all", as one action with Undo and Redo', async () => {
  await fillTrash('a.png', 'b.png')
  await gallery.api.createBoard('Castles')
  await gallery.api.uploadImages(['c.png'], { board: 'Castles' })
  for (const { board_id } of await gallery.api.client.boardOperations.list()) {
    await gallery.api.client.trash.trashBoard(board_id, { includeImages: true })
  }
  await gallery.open({ board: 'trash' })
  await gallery.image('b.png')
  await screen.findByRole('button', { name: 'Restore Castles' })
  const restored = async () => [
    await gallery.api.namesOn('Castles'),
    (await gallery.api.namesOn('Portraits'))?.toSorted(),
  ]

  await gallery.press('Restore all')

  await screen.findByText('The trash is empty')
  await gallery.toast('Restored 3 images and 2 boards')
  await expect.poll(restored).toEqual([['c.png'], ['a.png', 'b.png']])
  await gallery.undo()
  await waitFor(() => expect(gallery.tiles().toSorted()).toEqual(['a.png', 'b.png', 'c.png']))
  for (const [name, board] of [
    ['a.png', 'Portraits'],
    ['c.png', 'Castles'],
  ] as const) {
    await waitFor(async () => {
      expect((await gallery.image(name)).textContent).toContain(`${board} (deleted)`)
    })
  }
  await gallery.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expect.poll(restored).toEqual([['c.png'], ['a.png', 'b.png']])
  await screen.findByText('The trash is empty')
  await gallery.user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(gallery.tiles().toSorted()).toEqual(['a.png', 'b.png', 'c.png']))
  await waitFor(async () => {
    expect((await gallery.image('c.png')).textContent).toContain('Castles (deleted)')
  })
})

test('undoes "Restore all" after a reload @long', async () => {
  await fillTrash('a.png')
  await gallery.api.createBoard('Castles')
  await gallery.open()
  await gallery.deleteBoard('Castles')
  await gallery.openBoard('Trash')
  await screen.findByRole('button', { name: 'Restore Castles' })
  await gallery.image('a.png')
  await gallery.press('Restore all')
  await gallery.board('Castles')
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['a.png'])

  await gallery.reload()
  await gallery.board('Castles')
  await waitFor(() => expect(gallery.page.journal.getState()).toHaveLength(2))
  await gallery.press('Undo last change')

  await screen.findByRole('button', { name: 'Restore Castles' })
  expect((await gallery.image('a.png')).textContent).toContain('Portraits')
})

test('shows a link to the trash if all images are there', async () => {
  await gallery.api.uploadImages(['a.png'])
  await gallery.open()
  await gallery.deleteImage('a.png')

  await screen.findByRole('heading', { name: 'Everything is in the trash' })
  await gallery.press('Open the trash')

  await gallery.image('a.png')
})

test('shows the same count in header and sidebar while an Undo is pending', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  const header = () =>
    within(screen.getByRole('main')).queryByText(/^\d+ images?$/, { selector: 'p' })?.textContent
  const counts = () => [header(), gallery.countOn('Assets'), gallery.countOn('All images')]
  await gallery.deleteImage('a.png')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['a.png'])
  await waitFor(() => expect(counts()).toEqual(['1 image', '1', '1']))
  const isAnswered = Promise.withResolvers<void>()
  gallery.onRequest = () => isAnswered.promise

  await gallery.undo()

  await waitFor(() => expect(counts()).toEqual(['2 images', '2', '2']))
  isAnswered.resolve()
  await expect.poll(() => gallery.api.trashedNames()).toEqual([])
  await waitFor(() => expect(counts()).toEqual(['2 images', '2', '2']))
})
