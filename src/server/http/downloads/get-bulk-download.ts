import { getBulkDownload } from '#contract/download-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendZip } from './send-zip.ts'

export const getBulkDownloadRoute = defineRoute(
  getBulkDownload,
  async ({ archives }, { params, reply }) =>
    sendZip(reply, await archives.takeBulkDownload(params.bulk_download_item_name), 'inline'),
)
