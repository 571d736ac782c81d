import { getImageWorkflow } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendJsonText } from '#server/http/send-in-pieces.ts'

export const getImageWorkflowRoute = defineRoute(
  getImageWorkflow,
  async ({ images }, { params, reply }) =>
    sendJsonText(reply, await images.workflowJson(params.image_name)),
)
