import { setTimeout as delay } from 'node:timers/promises'
import { type Figure, median, p99 } from '#bench/figures.ts'
import { timesDuring } from '#bench/hostile/times-during.ts'
import { connect } from '#client/connect.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { freeBox } from './draw-film.ts'

const CLIPS = 10
const IDLE_MS = 3_000

/** Measures how long small requests take while the posters of ten clips are made. */
export const requestFigures = async (
  film: Buffer<ArrayBuffer>,
  { rounds }: { rounds: number },
): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  const client = connect({ baseUrl: server.url, timeoutMs: 120_000 })
  let uploads = 0
  const upload = () => {
    uploads += 1
    const bytes = new Blob([film, freeBox(32, `${uploads}`)])
    return client.videos.upload({ bytes, fileName: `${uploads}.mp4` })
  }
  try {
    await upload() // loads the code
    const url = `${server.url}/api/v1/boards/?all=true`
    const [busy, idle]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      idle.push(p99(await timesDuring(url, () => delay(IDLE_MS))))
      const posters = () => Promise.all(Array.from({ length: CLIPS }, upload))
      busy.push(p99(await timesDuring(url, posters)))
    }
    return [
      {
        name: `p99 of small requests while posters of ${CLIPS} clips are made`,
        value: median(busy),
        unit: 'ms',
        baseline: { name: 'without', value: median(idle) },
        mark: 'under 50 ms',
      },
    ]
  } finally {
    client.events.close()
    await server.close()
  }
}
