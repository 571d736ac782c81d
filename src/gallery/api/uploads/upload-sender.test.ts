import { expect, test } from 'vitest'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { UploadSender } from './upload-sender.ts'

const api = testGalleryApi()
const sender = new UploadSender(api)

test('reloads a list that is loading when an upload ends', async () => {
  const queryKey = [...imageKeys.all(), 'a list']
  const before = Promise.withResolvers<string>()
  let asked = 0
  const load = () => {
    asked += 1
    return asked === 1 ? before.promise : Promise.resolve('with the upload')
  }
  const loading = api.queryClient.prefetchQuery({ queryKey, queryFn: load })

  sender.showSoon()
  sender.showNow()
  before.resolve('without the upload')
  await loading

  await expect.poll(() => api.queryClient.getQueryData(queryKey)).toBe('with the upload')
})
