import { getArchive } from '#contract/download-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendZip } from './send-zip.ts'

export const getArchiveRoute = defineRoute(getArchive, async ({ archives }, { params, reply }) =>
  sendZip(reply, await archives.open(params.archive_id), 'attachment'),
)
