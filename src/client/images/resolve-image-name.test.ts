import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, imageAnswer, type Routes } from '#testing/fake-fetch.ts'

/** A server that has these images, and lists those names as uncategorized. */
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

describe('resolving an exact image name (spec 4.4)', () => {
  it('1: uses the name as given when it exists, and asks no further', async () => {
    const { boards, server } = resolving(['cat.png'])

    expect(await boards.resolveImageName('cat.png')).toBe('cat.png')
    expect(server.lines).toEqual(['GET /api/v1/images/i/cat.png'])
  })

  it('2: uses the name without its extension when that exists', async () => {
    const { boards, server } = resolving(['my.cat'])

    expect(await boards.resolveImageName('my.cat.png')).toBe('my.cat')
    expect(server.lines).toEqual(['GET /api/v1/images/i/my.cat.png', 'GET /api/v1/images/i/my.cat'])
  })

  test.each([
    ['the given name', ['cat', 'cat.png', 'cat.jpg'], 'cat.png'],
    ['else the stripped name', ['cat.jpg', 'cat'], 'cat'],
    [
      'else the first that starts with the stripped name',
      ['dog', 'cats.jpg', 'cat.webp'],
      'cats.jpg',
    ],
  ])('3: looks in the uncategorized names: %s', async (_, uncategorized, expected) => {
    const { boards, server } = resolving([], uncategorized)

    expect(await boards.resolveImageName('cat.png')).toBe(expected)
    expect(server.lines).toEqual([
      'GET /api/v1/images/i/cat.png',
      'GET /api/v1/images/i/cat',
      'GET /api/v1/boards/none/image_names',
    ])
  })

  it('4: gives null when none match', async () => {
    const { boards } = resolving(['dog.png'], ['dog.png'])

    expect(await boards.resolveImageName('cat.png')).toBeNull()
  })

  it('does not ask twice for a name without an extension', async () => {
    const { boards, server } = resolving([], ['cat.png'])

    expect(await boards.resolveImageName('cat')).toBe('cat.png')
    expect(server.lines).toEqual([
      'GET /api/v1/images/i/cat',
      'GET /api/v1/boards/none/image_names',
    ])
  })

  test.each(['', '.png'])(
    'finds nothing for %j, with which every name would start',
    async (name) => {
      const { boards } = resolving([], ['cat.png'])

      expect(await boards.resolveImageName(name)).toBeNull()
    },
  )
})
