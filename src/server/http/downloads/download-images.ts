import { downloadImages } from '#contract/download-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const downloadImagesRoute = defineRoute(downloadImages, ({ archives }, { body }) =>
  archives.startBulkDownload(body),
)
