import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test('stars an image that is dropped on Starred, and leaves it on its board', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })

  await gallery.dragImage('a.png', { toBoard: 'Starred' })

  await expect(gallery.boardCount('Starred')).toHaveText('1')
  await expect(gallery.image('a.png')).toBeVisible()
  await gallery.openBoard('Starred')
  await expect.poll(() => gallery.shownNames()).toEqual(['a.png'])
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})
