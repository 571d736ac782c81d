import { inject } from 'vitest'
import { openStore } from '#testing/engines/s3-store.ts'
import { testThumbnailFiles } from '#testing/ports/thumbnail-files-contract.ts'

testThumbnailFiles(async () => (await openStore(inject('s3Url'))).thumbnails)
