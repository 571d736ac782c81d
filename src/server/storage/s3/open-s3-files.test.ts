import { expect, inject, onTestFinished, test } from 'vitest'
import { startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { parseFilesUrl } from './files-url.ts'
import { openS3Files } from './open-s3-files.ts'

const url = inject('s3Url')

const open = async (text: string) => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const opened = await openS3Files(parseFilesUrl(text), { dataFolder, idleMs: 300 })
  onTestFinished(opened.close)
  return opened
}

const setEnvironment = (values: Record<string, string>) => {
  const previous = { ...process.env }
  Object.assign(process.env, values)
  onTestFinished(() => {
    for (const name of Object.keys(values)) delete process.env[name]
    Object.assign(process.env, previous)
  })
}

test('opens an empty store and leaves no trace of the test', async () => {
  const { files } = await open(emptyStore(url))

  expect(await files.hasAny()).toBe(false)
  expect(await files.listTemporaries()).toEqual([])
})

test('names a missing bucket', async () => {
  await expect(open(url.replace('//tessera', '//nothing'))).rejects.toThrow(
    'There is no bucket “nothing” at http://127.0.0.1',
  )
})

test.each([{ AWS_ACCESS_KEY_ID: 'somebody' }, { AWS_SECRET_ACCESS_KEY: 'wrong' }])(
  'names wrong credentials: %j',
  async (environment) => {
    setEnvironment(environment)

    await expect(open(url)).rejects.toThrow(/^The credentials for http.* are missing or wrong/)
  },
)

test.each(['PUT', 'GET', 'DELETE'])('names a bucket without the right to %s', async (method) => {
  const proxy = await startFaultyS3(url)
  onTestFinished(proxy.close)
  proxy.fail('forbid', { method })

  await expect(open(proxy.url)).rejects.toThrow(
    'These credentials may not write to, read from and delete in the bucket “tessera” (AccessDenied).',
  )
})

test('names an endpoint that is silent', async () => {
  const proxy = await startFaultyS3(url)
  onTestFinished(proxy.close)
  proxy.fail('hang')

  await expect(open(proxy.url)).rejects.toThrow(/^http.* does not answer .*\(TimeoutError\)\.$/)
})

test('names an endpoint that does not answer', async () => {
  setEnvironment({ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' })

  await expect(open('s3://pictures?endpoint=http://127.0.0.1:1&region=x')).rejects.toThrow(
    'http://127.0.0.1:1 does not answer as an S3 server (ECONNREFUSED).',
  )
})
