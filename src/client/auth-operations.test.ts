import { describe, expect, it } from 'vitest'
import { FakeFetch, json, type Routes, refusal } from '#testing/fake-fetch.ts'
import { connect } from './connect.ts'

const ada = { user_id: 'u1', email: 'ada@example.com', display_name: 'Ada', is_admin: false }
const credentials = { email: 'ada@example.com', password: 'engine' }

const connectTo = (routes: Routes, token: string | null = null) => {
  const server = new FakeFetch(routes)
  const stored: { token: string | null } = { token }
  const tokens = {
    get: () => stored.token,
    set: (next: string | null) => {
      stored.token = next
    },
  }
  return {
    server,
    stored,
    client: connect({ baseUrl: 'http://invoke.test', fetch: server.fetch, tokens }),
  }
}

const sentTokens = ({ requests }: FakeFetch) =>
  requests.map(({ headers }) => headers.get('authorization'))

describe('accounts of an InvokeAI', () => {
  it('stores the token of a login and sends it with later requests', async () => {
    const { client, server, stored } = connectTo({
      'POST /api/v1/auth/login': () => ({ token: 'one', user: ada, expires_in: 86400 }),
      'GET /api/v1/auth/me': () => ada,
    })

    expect(await client.auth.login(credentials)).toEqual(ada)
    expect(await client.auth.me()).toEqual(ada)

    expect(server.requests[0]?.body).toEqual({ ...credentials, remember_me: false })
    expect(sentTokens(server)).toEqual([null, 'Bearer one'])
    expect(stored.token).toBe('one')
  })

  it.each([{}, { 'x-refusal-code': 'login_required' }])(
    'throws login_failed for a wrong password with the headers %o',
    async (headers) => {
      const detail = 'Incorrect email or password'
      const { client, stored } = connectTo(
        { 'POST /api/v1/auth/login': () => json({ detail }, 401, headers) },
        'run out',
      )

      const login = client.auth.login(credentials)

      await expect(login).rejects.toMatchObject({ code: 'login_failed', status: 401, detail })
      expect(stored.token).toBeNull()
    },
  )

  it('stores the renewed token of a response', async () => {
    const { client, server, stored } = connectTo(
      {
        'POST /api/v1/images/star': () =>
          json({ starred_images: [], affected_boards: [] }, 200, { 'x-refreshed-token': 'two' }),
      },
      'one',
    )

    await client.images.star(['a.png'])
    await client.images.star(['a.png'])

    expect(sentTokens(server)).toEqual(['Bearer one', 'Bearer two'])
    expect(stored.token).toBe('two')
  })

  it('ignores a renewed token that arrives after the logout', async () => {
    const { client, stored } = connectTo(
      {
        'POST /api/v1/images/star': () => {
          stored.token = null
          return json({ starred_images: [] }, 200, { 'x-refreshed-token': 'two' })
        },
      },
      'one',
    )

    await client.images.star(['a.png'])

    expect(stored.token).toBeNull()
  })

  it('deletes the token if the server refuses it, but not after a refusal of an older one', async () => {
    const { client, stored } = connectTo(
      {
        'POST /api/v1/images/star': () => {
          if (stored.token === 'one') stored.token = 'two'
          return refusal(401, 'Invalid or expired token')
        },
      },
      'one',
    )

    await expect(client.images.star(['a.png'])).rejects.toMatchObject({ code: 'login_required' })
    expect(stored.token).toBe('two')
    await expect(client.images.star(['a.png'])).rejects.toThrow()
    expect(stored.token).toBeNull()
  })

  it('deletes the token at a logout without a response', async () => {
    const { client, stored } = connectTo({}, 'one')

    await client.auth.logout().catch(() => {})

    expect(stored.token).toBeNull()
  })
})
