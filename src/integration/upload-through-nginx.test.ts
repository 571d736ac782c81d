import { expect, onTestFinished, test } from 'vitest'
import { connect, uploadResumable } from '#client/index.ts'
import { startNginx } from '#testing/engines/nginx-server.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { startServer } from '#testing/server/start-server.ts'
import { sha256 } from './library-consistency.ts'

test('a file larger than the limit of nginx passes in pieces @long', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const nginx = await startNginx(server.url)
  onTestFinished(() => nginx.stop())
  const clip = await paddedClip(5_000_000)
  const client = connect({ baseUrl: nginx.url })
  const upload = { bytes: new Blob([clip]), fileName: 'a.mp4', uploadId: 'through-nginx' }

  const image = await uploadResumable(client.uploads, upload)

  expect(image.content_hash).toBe(sha256(clip))
})
