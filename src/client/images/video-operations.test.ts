import { expect, test } from 'vitest'
import { connect } from '#client/connect.ts'

/** Connects to a server that answers each request with its method, path and body. */
const connectToEcho = () => {
  const requests: string[] = []
  const client = connect({
    baseUrl: 'http://gallery.test',
    fetch: async (url, init) => {
      const { method, path, body } = {
        method: init?.method ?? 'GET',
        path: String(url).replace('http://gallery.test/api/v1/videos', ''),
        body: typeof init?.body === 'string' ? init.body : '',
      }
      requests.push(`${method} ${path} ${body}`.trim())
      return Response.json({
        affected_boards: ['b'],
        starred_videos: ['a.mp4'],
        video_name: 'a.mp4',
      })
    },
  })
  return { videos: client.videos, requests }
}

test('moves a video to a board, or off its board', async () => {
  const { videos, requests } = connectToEcho()

  expect(await videos.move('a.mp4', 'b')).toEqual(['b'])
  await videos.move('a.mp4', 'none')

  expect(requests).toEqual([
    'POST /board {"board_id":"b","video_name":"a.mp4"}',
    'DELETE /board {"video_name":"a.mp4"}',
  ])
})

test('sends long lists of names in parts', async () => {
  const { videos, requests } = connectToEcho()
  const names = Array.from({ length: 1_001 }, (_, at) => `${at}.mp4`)

  const { starred_videos } = await videos.star(names)

  expect(starred_videos).toEqual(['a.mp4'])
  expect(requests).toHaveLength(2)
})

test('filters videos by the keys of the routes of videos', async () => {
  const { videos, requests } = connectToEcho()

  await videos.names({ boardId: 'b', imageOrigin: 'external', categories: ['user'] })

  expect(requests).toEqual(['GET /names?video_origin=external&categories=user&board_id=b'])
})

test('fills in the fields that an InvokeAI does not send', async () => {
  const { videos } = connectToEcho()

  expect(await videos.get('a.mp4')).toMatchObject({ codec: null, has_sound: null })
})
