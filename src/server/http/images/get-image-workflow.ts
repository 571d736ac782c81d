import { getImageWorkflow } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getImageWorkflowRoute = defineRoute(getImageWorkflow, ({ images }, { params }) =>
  images.workflow(params.image_name),
)
