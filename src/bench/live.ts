import { parseArgs } from 'node:util'
import { buildPage } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { reportFigures } from './figures.ts'
import { measureCluster } from './live/live-cluster.ts'
import { measurePage } from './live/live-page.ts'
import { measureServer } from './live/live-server.ts'

/**
 * Measures how soon an open page shows what another client changes, and what that costs the server.
 * `node src/bench/live.ts --images 1000 --repeat 20 --seconds 30 --uploads 500`; `--only page`, `--only server` or
 * `--only cluster` runs one part.
 */
const { values: flags } = parseArgs({
  options: {
    images: { type: 'string', default: '1000' },
    repeat: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '30' },
    uploads: { type: 'string', default: '500' },
    only: { type: 'string', default: 'page,server,cluster' },
  },
  strict: false,
})
const parts = String(flags.only).split(',')
const imageCount = Number(flags.images)
const repeat = Number(flags.repeat)

const file = await drawFile('live.png')
const dataFolder = await createTemporaryFolder()
console.log(`Filling a library of ${imageCount.toLocaleString('en')} …`)
await fillLibrary(dataFolder, { imageCount, pictureCount: 50, longestPx: 512 })
await buildPage()
const server = await ServerProcess.start({ dataFolder })
const client = connect({ baseUrl: server.url })
const subject = { server, client, file, imageCount, repeat }
try {
  reportFigures('live', [
    ...(parts.includes('page')
      ? await measurePage({ ...subject, seconds: Number(flags.seconds) })
      : []),
    ...(parts.includes('server')
      ? await measureServer({ ...subject, uploads: Number(flags.uploads) })
      : []),
    ...(parts.includes('cluster') ? await measureCluster({ file, repeat }) : []),
  ])
} finally {
  client.close()
  await server.close()
  await removeFolder(dataFolder)
}
