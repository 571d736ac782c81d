import type { FastifyRequest } from 'fastify'

export const DESCRIPTION_PATH = '/openapi.json'

/** Numbers about this process for Prometheus. */
export const METRICS_PATH = '/metrics'

const apiPath = /^\/(?:(?:api|ws|metrics)(?:[/?]|$)|openapi\.json)/

/**
 * True if the request is for the API or its events, and false for the page. The matched route decides, because an
 * escaped path (`/%61pi/...`) reaches the same route.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  apiPath.test(routeOptions.url ?? url)
