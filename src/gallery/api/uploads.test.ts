import { expect, test } from 'vitest'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { showUploadsNow, showUploadsSoon } from './uploads.ts'

test('reloads a list that is loading when an upload ends', async () => {
  const queryKey = [...imageQueries.all(), 'a list']
  const before = Promise.withResolvers<string>()
  let asked = 0
  const load = () => {
    asked += 1
    return asked === 1 ? before.promise : Promise.resolve('with the upload')
  }
  const loading = theGallery.queryClient.prefetchQuery({ queryKey, queryFn: load })

  showUploadsSoon()
  showUploadsNow()
  before.resolve('without the upload')
  await loading

  await expect.poll(() => theGallery.queryClient.getQueryData(queryKey)).toBe('with the upload')
})
