import { Readable } from 'node:stream'
import { fillDemoLibrary } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

/** Pictures of a demo library that says no number. */
const DEFAULT_COUNT = 120

export const fillDemoLibraryRoute = defineRoute(
  fillDemoLibrary,
  async ({ demo }, { query, reply }) => {
    const lines = toLines(demo.fill(query.image_count ?? DEFAULT_COUNT))
    return reply.code(200).type('application/x-ndjson').send(Readable.from(lines))
  },
)

async function* toLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}
