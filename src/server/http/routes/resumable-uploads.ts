import {
  continueResumableUpload,
  createResumableUpload,
  describeResumableUploads,
  discardResumableUpload,
  getResumableUpload,
  TUS_BYTES,
} from '#contract/uploads/resumable-upload-operations.ts'
import { orRefuse } from '#server/core/refusal.ts'
import type { Parts } from '#server/http/parts.ts'
import { type Call, defineRoute, type Route } from '#server/http/route.ts'
import { answerTus } from '#server/http/uploads/resumable-endpoint.ts'

type AnyCall = Pick<Call<typeof describeResumableUploads>, 'request' | 'reply'> & {
  params?: { upload_key: string } | undefined
}

const answer = ({ resumable }: Parts, { request, reply, params }: AnyCall) =>
  answerTus(orRefuse(resumable, 'not_implemented'), request, reply, params?.upload_key ?? null)

/** Leaves the bytes of a body to the handler. */
const withBytes = (route: Route): Route => ({
  ...route,
  register(app, parts) {
    app.register(async (scope) => {
      scope.addContentTypeParser(TUS_BYTES, async () => undefined)
      route.register(scope, parts)
    })
  },
})

export const resumableUploadRoutes: readonly Route[] = [
  withBytes(defineRoute(createResumableUpload, answer)),
  withBytes(defineRoute(continueResumableUpload, answer)),
  defineRoute(getResumableUpload, answer),
  defineRoute(discardResumableUpload, answer),
  defineRoute(describeResumableUploads, answer),
]
