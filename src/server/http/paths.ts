import type { FastifyRequest } from 'fastify'

/** Where the interface description is (spec 4.1). */
export const DESCRIPTION_PATH = '/openapi.json'

const apiPath = /^\/(?:(?:api|ws)(?:[/?]|$)|openapi\.json)/

/**
 * Whether a request is for the API or its events; everything else is the page's. The matched route decides, since an
 * escaped address (`/%61pi/...`) reaches the same route.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  apiPath.test(routeOptions.url ?? url)
