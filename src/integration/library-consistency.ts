import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TesseraClient } from '#client/index.ts'
import { itemUrls } from '#contract/videos/video-urls.ts'

/** Place of an image: a board's id, `none`, or the trash. */
export type Place = string

export const TRASH: Place = 'the trash'

/**
 * Reads a library through all APIs and expects them to agree: no image or video is on two boards, each count equals
 * the length of its list, each record has its file and each file its record.
 *
 * @returns The place of each image.
 */
export async function expectConsistentLibrary(
  client: TesseraClient,
  dataFolder: string,
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  const put = (name: string, place: Place) => {
    expect(places.has(name), `${name} is in ${places.get(name)} and in ${place}`).toBe(false)
    places.set(name, place)
  }
  for (const board of await client.boards.listBoards({ includeUncategorized: true })) {
    const { video_names } = await client.videos.names({ boardId: board.board_id })
    const names = [...(await client.boardOperations.imageNames(board.board_id)), ...video_names]
    for (const name of names) put(name, board.board_id)
    const view = { boardId: board.board_id, isIntermediate: false, kind: 'all' } as const
    const page = await client.images.page(view, { offset: 0, limit: -1 })
    const ofBoard = board.image_count + board.video_count
    const count = { ofBoard, ofPage: page.total, ofNames: page.items.length }
    expect(count).toEqual({ ofBoard: page.total, ofPage: page.total, ofNames: page.total })
    expect(page.items.every((image) => (image.board_id ?? 'none') === board.board_id)).toBe(true)
    expect(names).toEqual(expect.arrayContaining(page.items.map((image) => image.image_name)))
  }
  const all = await client.images.names({ kind: 'all' })
  expect(sorted(all.image_names)).toEqual(sorted(places.keys()))
  expect(all.total_count).toBe(places.size)
  const trash = await client.trash.list({ offset: 0, limit: 1000, kind: 'all' })
  for (const image of trash.items) put(image.image_name, TRASH)
  expect(trash.total).toBe(trash.items.length)
  // The server answers a delete request before it unlinks the file.
  await expect.poll(() => filesOf(dataFolder)).toEqual(sorted(places.keys()))
  return places
}

/** Reads the bytes of an image or a video and returns their SHA-256. */
export async function hashOfImage(url: string, imageName: string): Promise<string> {
  const response = await fetch(`${url}/${itemUrls(imageName).image_url}`)
  expect(response.status, imageName).toBe(200)
  return sha256(await response.bytes())
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Returns the names of all full-resolution files on disk. */
async function filesOf(dataFolder: string): Promise<string[]> {
  const entries = await readdir(join(dataFolder, 'images'), {
    recursive: true,
    withFileTypes: true,
  })
  return sorted(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
}

const sorted = (names: Iterable<string>): string[] => [...names].sort()
