import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '#client/connect.ts'
import { collect } from '#testing/collect.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { ServerProcess } from '#testing/server/server-process.ts'

/** As where npm does not find the optional package, for example on Alpine. */
const withoutDecoder = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => next(name === '@mediabunny/server' ? 'no-such-package' : name, context),
  })`

let server: ServerProcess
beforeAll(async () => {
  const hook = `data:text/javascript,${encodeURIComponent(withoutDecoder)}`
  // The processes that read and convert videos inherit it.
  vi.stubEnv('NODE_OPTIONS', `--import=${hook}`)
  server = await ServerProcess.start({ flags: ['--playable-cache', '1GiB'] })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

const upload = async (clip: Parameters<typeof drawClip>[0]) => {
  const client = connect({ baseUrl: server.url })
  const bytes = new Blob([await drawClip(clip)])
  return { client, video: await client.videos.upload({ bytes, fileName: 'boat.mkv' }) }
}

test('keeps a video without a poster, and says why it has no strip', async () => {
  const { client, video } = await upload({})

  expect(video).toMatchObject({ codec: 'h264', width: 64, duration: 1, thumbhash: null })
  const strip = await fetch(client.videos.stripUrl(video))
  expect([strip.status, await strip.json()]).toEqual([
    404,
    { detail: 'This server cannot decode this video.' },
  ])
  await expect(client.videos.setPoster(video.video_name, { timeMs: 0 })).rejects.toMatchObject({
    ...{ status: 501, code: 'cannot_draw_poster' },
  })
})

test('copies H.264 from another container', async () => {
  const { client, video } = await upload({ container: 'mkv' })

  await collect(client.videos.makePlayable(video.video_name))

  expect((await fetch(client.videos.playableUrl(video))).headers.get('content-type')).toBe(
    'video/mp4',
  )
})

test('refuses a playable copy of another codec, with the reason', async () => {
  const { client, video } = await upload({ container: 'mov', codec: 'hevc' })

  await expect(collect(client.videos.makePlayable(video.video_name))).rejects.toMatchObject({
    code: 'cannot_convert',
    message: expect.stringContaining('the package @mediabunny/server is not installed'),
  })
  expect((await fetch(client.videos.playableUrl(video))).status).toBe(404)
})
