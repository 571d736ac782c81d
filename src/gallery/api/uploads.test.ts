import { expect, test } from 'vitest'
import { testGalleryApi } from '#integration/test-gallery-api.ts'

const api = testGalleryApi()

test('reloads a list that is loading when an upload ends', async () => {
  const queryKey = [...api.imageQueries.all(), 'a list']
  const before = Promise.withResolvers<string>()
  let asked = 0
  const load = () => {
    asked += 1
    return asked === 1 ? before.promise : Promise.resolve('with the upload')
  }
  const loading = api.queryClient.prefetchQuery({ queryKey, queryFn: load })

  api.uploads.showSoon()
  api.uploads.showNow()
  before.resolve('without the upload')
  await loading

  await expect.poll(() => api.queryClient.getQueryData(queryKey)).toBe('with the upload')
})
