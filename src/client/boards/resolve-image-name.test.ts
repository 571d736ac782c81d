import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, imageAnswer, type Routes } from '#testing/fake-fetch.ts'

/** Fakes a server with the given images and the given list of uncategorized names. */
const resolving = (existing: string[], uncategorized: string[] = []) => {
  const images = existing.map((name): [string, Routes[string]] => [
    `GET /api/v1/images/i/${name}`,
    () => imageAnswer({ image_name: name }),
  ])
  const server = new FakeFetch({
    ...Object.fromEntries(images),
    'GET /api/v1/boards/none/image_names': () => uncategorized,
  })
  const { boards } = connect({ baseUrl: 'http://gallery.test', fetch: server.fetch })
  return { server, boards }
}

describe('resolveImageName', () => {
  it('uses an existing name without further requests', async () => {
    const { boards, server } = resolving(['cat.png'])

    expect(await boards.resolveImageName('cat.png')).toBe('cat.png')
    expect(server.lines).toEqual(['GET /api/v1/images/i/cat.png'])
  })

  it('uses the name without its extension if that image exists', async () => {
    const { boards, server } = resolving(['my.cat'])

    expect(await boards.resolveImageName('my.cat.png')).toBe('my.cat')
    expect(server.lines).toEqual(['GET /api/v1/images/i/my.cat.png', 'GET /api/v1/images/i/my.cat'])
  })

  test.each([
    ['uses the given name', ['cat', 'cat.png', 'cat.jpg'], 'cat.png'],
    ['else the name without extension', ['cat.jpg', 'cat'], 'cat'],
    ['else the first name that starts with it', ['dog', 'cats.jpg', 'cat.webp'], 'cats.jpg'],
  ])('searches the uncategorized names: %s', async (_, uncategorized, expected) => {
    const { boards, server } = resolving([], uncategorized)

    expect(await boards.resolveImageName('cat.png')).toBe(expected)
    expect(server.lines).toEqual([
      'GET /api/v1/images/i/cat.png',
      'GET /api/v1/images/i/cat',
      'GET /api/v1/boards/none/image_names',
    ])
  })

  it('returns null if nothing matches', async () => {
    const { boards } = resolving(['dog.png'], ['dog.png'])

    expect(await boards.resolveImageName('cat.png')).toBeNull()
  })

  it('sends one request for a name without an extension', async () => {
    const { boards, server } = resolving([], ['cat.png'])

    expect(await boards.resolveImageName('cat')).toBe('cat.png')
    expect(server.lines).toEqual([
      'GET /api/v1/images/i/cat',
      'GET /api/v1/boards/none/image_names',
    ])
  })

  test.each(['', '.png'])('returns null for %j, which is a prefix of every name', async (name) => {
    const { boards } = resolving([], ['cat.png'])

    expect(await boards.resolveImageName(name)).toBeNull()
  })
})
