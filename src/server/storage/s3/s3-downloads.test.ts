import { Readable } from 'node:stream'
import { expect, inject, test } from 'vitest'
import { openStore } from '#testing/engines/s3-store.ts'
import { testDownloads } from '#testing/ports/downloads-contract.ts'
import { openS3Downloads } from './s3-downloads.ts'

const never = new AbortController().signal

testDownloads(async () => openS3Downloads((await openStore(inject('s3Url'))).bucket))

test('sweeps only what is older than a day', async () => {
  const { bucket, keys } = await openStore(inject('s3Url'))
  const downloads = openS3Downloads(bucket)
  await downloads.write('a.zip', Readable.from(['zip']), never)
  await downloads.write('b.zip', Readable.from(['zip']), never)
  const nextDay = openS3Downloads(bucket, () => Date.now() + 90_000_000)

  expect(await downloads.sweep()).toBe(0)
  expect(await nextDay.sweep()).toBe(2)
  expect(await keys()).toEqual([])
})
