import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'

/** Long enough for a busy machine. */
const pollOptions = { timeout: 20_000 }

let fake: FakeInvokeAi
let gallery: RunningUpstreamServer

beforeEach(async () => {
  fake = await startFakeInvokeAi()
  gallery = await startUpstreamServer(fake.url)
})

afterEach(async () => {
  await gallery.close()
  await fake.close()
})

const account = { email: 'ada@invoke.lan', password: 'enchantress' }

/** Starts another gallery in front of an InvokeAI with accounts. */
async function beginWithAccounts(): Promise<void> {
  await gallery.close()
  await fake.close()
  fake = await startFakeInvokeAi({ accounts: [account] })
  gallery = await startUpstreamServer(fake.url)
}

const json = { 'content-type': 'application/json' }

describe('a gallery in front of InvokeAI', () => {
  it('names its upstream', async () => {
    expect(await gallery.client.server.capabilities()).toMatchObject({
      server: 'invokeai',
      version: '6.14.2',
      extensions: [],
      limits: { requests_per_minute: null, max_files_per_batch: 1 },
      front: { server: 'tessera', upstream: fake.url },
    })
  })

  it("passes on boards, images and the upstream's answers", async () => {
    const { boards } = gallery.client
    const board = await boards.createBoard('Portraits')
    const file = await drawFile('cat.png')
    const { image_name } = await board.uploadImageData(file)

    expect(await board.listImages()).toEqual([image_name])
    expect(await boards.listBoards()).toMatchObject([{ board_name: 'Portraits', image_count: 1 }])
    const bytes = await board.downloadImage(image_name)
    const direct = await fetch(`${fake.url}/api/v1/images/i/${image_name}/full`)
    expect(bytes).toEqual(new Uint8Array(await direct.arrayBuffer()))
    expect(await board.deleteImage(image_name)).toBe(true)
    expect(await boards.deleteBoard(board.boardId)).toBe(true)
  })

  it('answers 404 on paths where InvokeAI sends its page', async () => {
    const answer = await fetch(`${gallery.url}/api/v1/nothing/of/that/kind`)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ detail: 'Not Found' })
    expect(await gallery.client.server.health()).toMatchObject({ version: '6.14.2' })
  })

  it('reconnects after a restart of InvokeAI', async () => {
    expect(await gallery.client.server.upstream()).toMatchObject({ state: 'up' })
    await fake.restart()

    await expect
      .poll(() => gallery.client.boards.listBoards().catch(() => null), pollOptions)
      .toEqual([])
  })
})

describe('in front of InvokeAI with accounts', () => {
  it('passes on a login and the cookie for images', async () => {
    await beginWithAccounts()
    const ask = (path: string, init?: RequestInit) => fetch(`${gallery.url}/api/v1/${path}`, init)
    expect((await ask('boards/?all=true')).headers.get('x-refusal-code')).toBe('login_required')

    const login = await ask('auth/login', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...account, remember_me: false }),
    })
    const { token } = (await login.json()) as { token: string }
    const [cookie = ''] = login.headers.getSetCookie()
    expect(cookie).toMatch(
      /^invokeai_media_token=\S+; Max-Age=\d+; Path=\/api\/v1; HttpOnly; SameSite=Lax$/,
    )

    const authorization = `Bearer ${token}`
    const body = new FormData()
    body.append('file', await drawFile('cat.png'))
    const uploaded = await ask('images/upload?image_category=user&is_intermediate=false', {
      method: 'POST',
      headers: { authorization },
      body,
    })
    expect(uploaded.headers.get('x-refreshed-token')).toEqual(expect.any(String))
    const { image_name } = (await uploaded.json()) as { image_name: string }
    const thumbnail = `images/i/${image_name}/thumbnail`
    expect((await ask(thumbnail)).status).toBe(401)
    const shown = await ask(thumbnail, { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const logout = await ask('auth/logout', { method: 'POST', headers: { authorization } })
    expect(logout.headers.getSetCookie()[0]).toMatch(/^invokeai_media_token=; Max-Age=0; /)
  })

  it('delivers events only to the account that may see them', async () => {
    await beginWithAccounts()
    const login = await fetch(`${gallery.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...account, remember_me: false }),
    })
    const { token } = (await login.json()) as { token: string }
    const names: string[] = []
    const client = connect({ baseUrl: gallery.url, token })
    const opened = new Promise((resolve) =>
      client.events.onState(({ phase }) => phase === 'open' && resolve(phase)),
    )
    const stop = client.events.listen(({ event }) => names.push(event))
    const others: string[] = []
    const other = connect({ baseUrl: gallery.url, token: 'forged' })
    const stopOther = other.events.listen(({ event }) => others.push(event))
    await opened

    const graph = {
      id: 'g',
      nodes: { a: { id: 'a', type: 'noise', width: 96, height: 64 } },
      edges: [],
    }
    await client.queue.enqueue({ graph, runs: 1 })

    await expect.poll(() => names, pollOptions).toContain('session_complete')
    expect(names).toEqual(expect.arrayContaining(['batch_enqueued', 'invocation_complete']))
    expect(others).toEqual([])
    stop()
    stopOther()
  })
})
