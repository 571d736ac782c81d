import { expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, type Routes, refusal } from '#testing/fake-fetch.ts'

const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return { server, client: connect({ baseUrl: 'http://gallery.test', fetch: server.fetch }) }
}

test('lists the changes since a state, without those of an origin', async () => {
  const changes = { old_state: 's1', new_state: 's2', has_more: false }
  const { client, server } = connectTo({ 'GET /api/v1/changes': () => changes })

  expect(await client.changes.list({ since: 's1', limit: 10, exceptOrigin: 'tab' })).toEqual(
    changes,
  )
  await client.changes.list()

  expect(server.lines).toEqual([
    'GET /api/v1/changes?since=s1&limit=10&except_origin=tab',
    'GET /api/v1/changes',
  ])
})

test('throws if the server no longer knows the state', async () => {
  const { client } = connectTo({ 'GET /api/v1/changes': () => refusal(410, 'Read again') })

  const list = client.changes.list({ since: 'old' })

  await expect(list).rejects.toMatchObject({ code: 'state_unknown', status: 410 })
})
