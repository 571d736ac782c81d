import type { Browser } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import { flingGrid } from '#bench/page/fling-grid.ts'
import { shownAt } from '#bench/page/opening.ts'
import type { Fling } from '#bench/page/scroll-probe.ts'
import { connect } from '#client/connect.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { drawFrame } from './draw-film.ts'

const TILES = 60
const PICTURE = { widthPx: 768, heightPx: 512 }
const PHONE = { width: 390, height: 844 }

/** Compares flings over a grid of videos with flings over a grid of images of the same pictures. */
export const flingFigures = async (
  browser: Browser,
  { rounds }: { rounds: number },
): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  try {
    const { videos, images } = await fillBoards(server.url)
    const [ofVideos, ofImages]: [Fling[], Fling[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      ofImages.push(await flingBoard(browser, server.url, images))
      ofVideos.push(await flingBoard(browser, server.url, videos))
    }
    const figure = (key: 'framesPerSecond' | 'longestTaskMs') => ({
      value: median(ofVideos.map((fling) => fling[key])),
      baseline: { name: 'the same of images', value: median(ofImages.map((fling) => fling[key])) },
    })
    return [
      {
        ...{ name: `frames flinging a grid of ${TILES} videos`, unit: 'frames/s' },
        ...{ ...figure('framesPerSecond'), mark: '0.95 x' },
      },
      {
        ...{ name: `longest task flinging a grid of ${TILES} videos`, unit: 'ms' },
        ...{ ...figure('longestTaskMs'), mark: 'none over 50' },
      },
    ]
  } finally {
    await server.close()
  }
}

/** Fills two boards with the same pictures: one with clips of them, one with images. Returns the ids of the boards. */
const fillBoards = async (url: string): Promise<{ videos: string; images: string }> => {
  const client = connect({ baseUrl: url, timeoutMs: 120_000 })
  try {
    const videos = await client.boards.createBoard('Videos')
    const images = await client.boards.createBoard('Images')
    for (let seed = 0; seed < TILES; seed += 1) {
      const { file, pixels } = await drawFrame(seed, PICTURE)
      const clip = await drawClip({
        ...{ width: PICTURE.widthPx, height: PICTURE.heightPx, frames: 10 },
        ...{ bitrate: 2_000_000, draw: () => pixels },
      })
      await client.videos.upload(
        { bytes: new Blob([clip]), fileName: `${seed}.mp4` },
        { boardId: videos.boardId },
      )
      await client.uploads.upload(
        { bytes: new Blob([new Uint8Array(file)]), fileName: `${seed}.png` },
        { boardId: images.boardId },
      )
    }
    return { videos: videos.boardId, images: images.boardId }
  } finally {
    client.events.close()
  }
}

const flingBoard = async (browser: Browser, url: string, boardId: string): Promise<Fling> => {
  const context = await browser.newContext({
    ...{ viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  })
  try {
    const page = await context.newPage()
    await page.goto(new URL(`/?board=${boardId}`, url).href)
    await shownAt(page)
    const session = await context.newCDPSession(page)
    return (await flingGrid(page, session, { turns: true })).fling
  } finally {
    await context.close()
  }
}
