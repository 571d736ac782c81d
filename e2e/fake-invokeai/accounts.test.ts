import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'

const ADA = { email: 'ada@example.com', password: 'engine', isAdmin: true }
const BOB = { email: 'bob@example.com', password: 'hunter2' }

let fake: FakeInvokeAi

beforeEach(async () => {
  fake = await startFakeInvokeAi({ accounts: [ADA, BOB] })
})

afterEach(() => fake.close())

const clientOf = () => {
  const stored: { token: string | null } = { token: null }
  const tokens = {
    get: () => stored.token,
    set: (next: string | null) => {
      stored.token = next
    },
  }
  return { stored, ...connect({ baseUrl: fake.url, tokens }) }
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${fake.url}/api/v1/${path}`, { headers })

describe('the multi-user mode', () => {
  test('requires a token except on a few routes', async () => {
    const refused = await ask('boards/?all=true')
    const open = await Promise.all(['auth/status', 'app/version'].map((path) => ask(path)))

    expect([refused.status, await refused.json()]).toEqual([
      401,
      { detail: 'Authentication required' },
    ])
    expect(open.map(({ status }) => status)).toEqual([200, 200])
    expect((await ask('boards/?all=true', { authorization: 'Bearer x.y.z' })).status).toBe(401)
  })

  test('returns a token for a password, a cookie for images, and refreshed tokens with changes', async () => {
    const { auth, boards, stored } = clientOf()

    await auth.login(ADA)
    const first = stored.token
    await boards.createBoard('Castles')

    expect(stored.token).not.toBe(first)
    expect(await auth.me()).toMatchObject({ email: ADA.email, is_admin: true })
    const login = await fetch(`${fake.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: BOB.email, password: BOB.password, remember_me: true }),
    })
    expect(login.headers.get('set-cookie')).toMatch(
      /^invokeai_media_token=\S+; HttpOnly; SameSite=Lax; Path=\/api\/v1/,
    )
    expect(await login.json()).toMatchObject({ expires_in: 7 * 86_400 })
  })

  test('serves images to holders of the cookie, uncached', async () => {
    const { auth, images, uploads, stored } = clientOf()
    await auth.login(ADA)
    const { image_name } = await uploads.upload({ bytes: await drawFile('cat.png'), fileName: 'c' })
    const path = `images/i/${image_name}/thumbnail`

    const withCookie = await ask(path, { cookie: `invokeai_media_token=${stored.token}` })

    expect(withCookie.status).toBe(200)
    expect(withCookie.headers.get('cache-control')).toBe('private, no-store')
    expect((await ask(path)).status).toBe(401)
    expect(await images.get(image_name)).toMatchObject({ image_name })
  })

  test('shows a board to others according to its visibility, and lets only the owner change it', async () => {
    const [ada, bob] = [clientOf(), clientOf()]
    await ada.auth.login(ADA)
    await bob.auth.login(BOB)
    const { boardId } = await ada.boards.createBoard('Castles')

    expect(await bob.boards.listBoards()).toEqual([])
    await ada.boardOperations.update(boardId, { board_visibility: 'shared' })
    expect(await bob.boards.listBoards()).toMatchObject([{ board_visibility: 'shared' }])
    await expect(bob.boardOperations.update(boardId, { board_name: 'Mine' })).rejects.toMatchObject(
      { code: 'forbidden' },
    )
  })

  test('lets users see and change images according to the permissions of their boards', async () => {
    const [ada, bob] = [clientOf(), clientOf()]
    await ada.auth.login(ADA)
    await bob.auth.login(BOB)
    const { boardId } = await ada.boards.createBoard('Castles')
    const bytes = await drawFile('cat.png')
    const { image_name } = await ada.uploads.upload({ bytes, fileName: 'c' }, { boardId })
    const share = (board_visibility: 'shared' | 'public') =>
      ada.boardOperations.update(boardId, { board_visibility })
    const refused = { code: 'forbidden' }

    await expect(bob.images.get(image_name)).rejects.toMatchObject(refused)
    await share('shared')
    expect(await bob.images.get(image_name)).toMatchObject({ image_name })
    await expect(bob.images.delete([image_name])).rejects.toMatchObject(refused)
    await expect(bob.images.star([image_name])).rejects.toMatchObject(refused)
    await share('public')
    expect(await bob.images.star([image_name])).toMatchObject({ starred_images: [image_name] })
  })

  test('notifies others of a batch without its owner and content', async () => {
    const [ada, bob] = [clientOf(), clientOf()]
    await ada.auth.login(ADA)
    await bob.auth.login(BOB)
    const auth = { token: bob.stored.token }
    const socket = io(fake.url, { path: '/ws/socket.io', reconnection: false, auth })
    const events: string[][] = []
    socket.onAny((name, data) => events.push([name, data.user_id, data.batch_id]))
    const shown: string[] = []
    const stop = bob.events.listen(({ event }) => shown.push(event))
    socket.on('connect', () => socket.emit('subscribe_queue', { queue_id: 'default' }))
    // The server does not acknowledge a subscription. Only an event for the room proves it.
    const isSubscribed = async () => {
      await bob.queue.clear()
      return [events.flat(), shown].every((names) => names.includes('queue_cleared'))
    }
    await expect.poll(isSubscribed).toBe(true)

    const graph = { id: 'g', nodes: { a: { id: 'a', type: 'blank_image' } }, edges: [] }
    await ada.queue.enqueue({ graph })

    const status = ['queue_item_status_changed', 'redacted', '']
    const othersEvents = () => events.filter(([name]) => name !== 'queue_cleared')
    await expect.poll(othersEvents).toEqual([['batch_enqueued', 'redacted', ''], status, status])
    expect(new Set(shown)).toEqual(new Set(['queue_cleared']))
    stop()
    socket.disconnect()
  })

  test('rejects expired tokens and accepts valid ones after a restart', async () => {
    const { auth, stored } = clientOf()
    await auth.login(ADA)

    await fake.restart()
    await expect.poll(() => auth.me()).toMatchObject({ email: ADA.email })
    fake.accounts.expireTokens()

    await expect(auth.me()).rejects.toMatchObject({ code: 'login_required' })
    expect(stored.token).toBeNull()
  })
})
