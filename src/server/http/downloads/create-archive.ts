import { createArchive } from '#contract/download-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const createArchiveRoute = defineRoute(createArchive, ({ archives }, { body }) =>
  archives.create(body),
)
