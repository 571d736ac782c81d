import { getModel, getModelV1 } from '#contract/model-operations.ts'
import type { Parts } from '#server/http/parts.ts'
import { defineRoute } from '#server/http/route.ts'

const answer = ({ models }: Parts, { params }: { params: { key: string } }) =>
  models.get(params.key)

export const getModelRoute = defineRoute(getModel, answer)

export const getModelV1Route = defineRoute(getModelV1, answer)
