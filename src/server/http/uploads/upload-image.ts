import { getFullImage } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'

import { uploadImage } from '#contract/upload-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { assertImagePart } from './assert-image-part.ts'
import { formDetails } from './form-details.ts'
import { missingFile } from './missing-file.ts'
import { type FilePart, readParts } from './read-parts.ts'

export const uploadImageRoute = defineRoute(
  uploadImage,
  async ({ ingest, about }, { query, request, reply }) => {
    await ingest.assertBoard(query.board_id)
    const parts = readParts(request, about.limits.max_upload_bytes)
    const texts = new Map<string, string>()

    /** Reads on to the next file. Parts come in any order: what is said of the file may stand behind it. */
    const nextFile = async (): Promise<FilePart | null> => {
      for (;;) {
        const { value: part } = await parts.next()
        if (!part) return null
        if (part.kind === 'file') return part
        texts.set(part.name, part.text)
      }
    }

    try {
      const file = await nextFile()
      if (file === null) throw missingFile()
      assertImagePart(file)
      const { image } = await ingest.ingest({
        source: file.bytes,
        fileName: file.fileName,
        category: query.image_category,
        isIntermediate: query.is_intermediate,
        boardId: query.board_id,
        sessionId: query.session_id ?? null,
        uploadId: query.upload_id ?? null,
        cropVisible: query.crop_visible ?? false,
        rest: async () => {
          for (let more = await nextFile(); more !== null; more = await nextFile()) more.drop()
          return formDetails(texts)
        },
      })
      const location = pathOf(getFullImage, { image_name: image.image_name }).slice(1)
      reply.header('location', location)
      return image
    } finally {
      await parts.return(undefined)
    }
  },
)
