import type { Page } from '@playwright/test'
import { expect, type Fixtures, test } from './fixtures.ts'

// Runs once with all animations.
test.use({ reducedMotion: 'no-preference' })

type Story = Pick<Fixtures, 'api' | 'gallery' | 'server'> & { page: Page }

const tellStory = async ({ api, gallery, page, server }: Story): Promise<void> => {
  await gallery.open({ board: 'none' })
  await gallery.createBoard('Portraits')
  await gallery.openBoard('Assets')
  await gallery.dropFiles(['cat.png', 'dog.jpg', 'fox.webp'], { on: 'page' })
  await expect(gallery.tiles).toHaveCount(3)

  await gallery.dragImage('cat.png', { toBoard: 'Portraits' })
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.dragImage('dog.jpg', { toBoard: 'Portraits' })
  await expect(gallery.tiles).toHaveCount(1)
  await gallery.deleteImage('fox.webp')
  await expect(gallery.tiles).toHaveCount(0)
  await gallery.openBoard('Portraits')
  await gallery.star('dog.jpg')

  await expect.poll(() => api.imagesOn('Portraits')).toMatchObject([{ starred: true }, {}])
  await server.restart()
  await page.reload()

  await expect(gallery.tiles).toHaveCount(2)
  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(gallery.image('dog.jpg').getByRole('button', { name: 'Unstar' })).toBeAttached()
  await gallery.openBoard('Assets')
  await expect(gallery.tiles).toHaveCount(0)
  await gallery.openBoard('Trash')
  await expect(gallery.image('fox.webp')).toBeVisible()
}

test('keeps added, sorted, starred and deleted images after a restart', tellStory)

test.describe('with PostgreSQL and S3', { tag: '@engines' }, () => {
  test.use({ storage: 'engines' })

  test('keeps added, sorted, starred and deleted images after a restart', tellStory)

  test('goes on by itself after the database was away', async ({ api, engines, gallery, page }) => {
    await api.uploadImage('cat.png')
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(1)

    // The grid may show a longer text that begins alike.
    const banner = page.getByText('The database does not answer.', { exact: true })
    await engines.withoutDatabase(async () => {
      await page.reload()
      await expect(banner).toBeVisible()
    })

    await expect(banner).toBeHidden()
    await expect(gallery.image('cat.png')).toBeVisible()
  })
})
