import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { connect, type TesseraClient } from '#client/index.ts'
import { Cluster } from '#testing/cluster/cluster.ts'
import { runOn } from '#testing/engines/postgres-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { type Figure, median, reportFigures } from './figures.ts'

const CONNECTIONS = 16
const BOARDS = 300
const DRAWN_FILES = 8
const IMAGES_PER_PAGE = 50

export interface ClusterBenchOptions {
  /** Images in each library. */
  images?: number
  /** Requests per measurement. */
  requests?: number
  rounds?: number
}

/** Compares three processes with PostgreSQL, S3 and Redis behind a proxy with one process and its data folder. */
export const bench = async (options: ClusterBenchOptions = {}): Promise<Figure[]> => {
  const { images = 500, requests = 2_000, rounds = 5 } = options
  const embedded = await ServerProcess.start()
  const cluster = await Cluster.start()
  try {
    const alone = await openSubject(embedded.url, embedded.url, images)
    const several = await openSubject(cluster.url, cluster.processes[0].url, images)
    // Autovacuum would do it within a minute.
    await runOn(cluster.databaseUrl, 'ANALYZE')
    const results: { one: Measured; three: Measured }[] = []
    // The first round warms both up.
    for (let round = 0; round <= rounds; round++) {
      const [one, three] = [await measure(alone, requests), await measure(several, requests)]
      if (round > 0) results.push({ one, three })
    }
    const medianOf = (kind: 'one' | 'three', key: keyof Measured) =>
      median(results.map((result) => result[kind][key]))
    const figure = (key: keyof Measured, name: string, unit: Figure['unit'], mark: string) => ({
      ...{ name, unit, mark },
      value: medianOf('three', key),
      baseline: { name: 'one embedded process', value: medianOf('one', key) },
    })
    const added = results.map(({ one, three }) => three.pageMs - one.pageMs)
    return [
      figure('perSecond', 'small requests through the proxy', 'requests/s', 'at least 0.8 x'),
      figure('pageMs', `page of ${IMAGES_PER_PAGE}, p50`, 'ms', ''),
      { name: 'added by PostgreSQL, p50', value: median(added), unit: 'ms', mark: 'at most 5 ms' },
      figure('boardsMs', `counts of ${BOARDS} boards, p50`, 'ms', 'at most 2 x'),
    ]
  } finally {
    await cluster.stop()
    await embedded.close()
  }
}

interface Subject {
  /** Address of the proxy, if there is one. */
  url: string
  /** Address of a process. */
  processUrl: string
  imageName: string
}

interface Measured {
  perSecond: number
  pageMs: number
  boardsMs: number
}

const openSubject = async (url: string, processUrl: string, images: number): Promise<Subject> => {
  const client = connect({ baseUrl: url })
  const boardIds: string[] = []
  for (let count = 0; count < BOARDS; count++)
    boardIds.push((await client.boards.createBoard(`Board ${count}`)).boardId)
  const uploads = Array.from({ length: images }, (_, at) => ({
    at,
    boardId: boardIds[at % BOARDS],
  }))
  const names = await pLimit(4).map(uploads, (upload) => uploadTo(client, upload))
  return { url, processUrl, imageName: names[0] ?? '' }
}

const uploadTo = async (
  client: TesseraClient,
  { at, boardId }: { at: number; boardId: string | undefined },
): Promise<string> => {
  const bytes = await drawFile(`${at % DRAWN_FILES}.png`)
  return (await client.uploads.upload({ bytes }, { boardId })).image_name
}

const measure = async (subject: Subject, requests: number): Promise<Measured> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  try {
    const small = `${subject.url}/api/v1/images/i/${subject.imageName}`
    const began = performance.now()
    await pLimit(CONNECTIONS).map(Array.from({ length: requests }), () => read(agent, small))
    const perSecond = requests / ((performance.now() - began) / 1000)
    // Each page begins elsewhere, so that no ETag or cache answers.
    const page = (at: number) =>
      `${subject.processUrl}/api/v1/images/?is_intermediate=false&limit=${IMAGES_PER_PAGE}&offset=${at}`
    const boards = () => `${subject.processUrl}/api/v1/boards/?all=true`
    return {
      perSecond,
      pageMs: await p50(agent, requests / 20, page),
      boardsMs: await p50(agent, requests / 20, boards),
    }
  } finally {
    agent.destroy()
  }
}

/** Sends requests one after the other. */
const p50 = async (agent: Agent, count: number, urlOf: (at: number) => string): Promise<number> => {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const began = performance.now()
    await read(agent, urlOf(at))
    times.push(performance.now() - began)
  }
  return median(times)
}

const read = async (agent: Agent, url: string): Promise<void> => {
  const [response] = await once(get(url, { agent }), 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      images: { type: 'string' },
      requests: { type: 'string' },
      rounds: { type: 'string' },
    },
    strict: false,
  })
  const numberOf = (value: unknown) => (typeof value === 'string' ? Number(value) : undefined)
  const { images, requests, rounds } = values
  const figures = await bench({
    ...(images !== undefined && { images: numberOf(images) ?? 500 }),
    ...(requests !== undefined && { requests: numberOf(requests) ?? 2_000 }),
    ...(rounds !== undefined && { rounds: numberOf(rounds) ?? 5 }),
  })
  reportFigures('cluster', figures)
}
