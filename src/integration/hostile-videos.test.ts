import { beforeAll, expect, test } from 'vitest'
import { drawClip } from '#testing/library/draw-clip.ts'
import { hostileClips } from '#testing/library/hostile-clips.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'

const getServer = reuseServer()

let clip: Buffer<ArrayBuffer>
beforeAll(async () => {
  clip = await drawClip()
})

/** Clips that use up the time or memory for one file, or that are long to make. */
const LONG = [
  '1,000 tracks of 10,000 frames',
  '10,000 texts',
  '10 hours in 1,080,000 frames',
  'fragments without frames, 200,000 of them',
  'Matroska: 1,000 tracks',
  'pictures of 12 megapixels that claim 64 x 48',
  'pictures of 35 megapixels',
  'texts of 30 MB',
  'Matroska: 2,000,000 blocks without content',
  'Matroska: 2,000,000 blocks after tracks of the wrong size',
  'Matroska: 500,000 clusters without content',
]

const cases = Object.entries(hostileClips).map(([name, draw]) => ({
  name: LONG.includes(name) ? `@long ${name}` : name,
  draw,
}))

test.each(cases)(
  'keeps or refuses $name, and takes the next video',
  { timeout: 120_000 },
  async ({ draw }) => {
    const { client, url } = await getServer()
    const upload = async (bytes: Buffer) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)]), 'boat.mp4')
      const query = 'video_category=user&is_intermediate=false'
      return fetch(`${url}/api/v1/videos/upload?${query}`, { method: 'POST', body: form })
    }

    const answer = await upload(await draw())

    const { detail, video_name } = (await answer.json()) as { detail?: string; video_name?: string }
    if (answer.status === 201) {
      const record = await client.videos.get(video_name ?? '')
      const strip = await fetch(client.videos.stripUrl({ video_name: video_name ?? '' }))
      expect(record?.duration).toBeGreaterThan(0)
      expect([200, 404]).toContain(strip.status)
    } else {
      expect(answer.status).toBe(415)
      expect(detail).toMatch(/^Failed to read video: |^Not a supported video file/)
    }
    expect((await upload(clip)).status).toBe(201)
  },
)
