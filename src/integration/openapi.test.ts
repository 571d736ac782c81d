import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operation, pathOf } from '#contract/operation.ts'
import { refusals } from '#contract/refusal.ts'
import { operations } from './all-operations.ts'
import { type Api, openApi } from './open-api.ts'
import { type OpenApiDocument, outlineOpenApi, type Schema } from './openapi-outline.ts'

let api: Api
let document: OpenApiDocument
beforeAll(async () => {
  api = await openApi()
  document = (await api.send('GET', '/openapi.json')).body as OpenApiDocument
})
afterAll(() => api.close())

/** Resolves a reference to its schema. */
const resolved = (schema: unknown): Schema => {
  const { $ref, ...own } = (schema ?? {}) as Schema
  const name = $ref?.split('/').at(-1)
  return name === undefined ? own : (document.components.schemas[name] ?? {})
}

test('is an OpenAPI 3.1 document whose outline equals the reviewed one', async () => {
  expect(document.openapi).toBe('3.1.0')
  await expect(outlineOpenApi(document)).toMatchFileSnapshot('openapi.snapshot')
})

test('contains exactly the operations of the contract', () => {
  const described = Object.values(document.paths).flatMap((path) => Object.values(path))
  const ids = (list: readonly { operationId: string }[]) =>
    list.map(({ operationId }) => operationId).sort()

  const heads = ['get_image_full', 'get_video_full', 'get_playable_copy'].map((operationId) => ({
    operationId: `${operationId}-head`,
  }))
  // The document names each HEAD so.
  const named = operations.map(({ operationId, method }) => ({
    operationId: method === 'HEAD' ? `${operationId}-head` : operationId,
  }))
  expect(ids(described)).toEqual(ids([...named, ...heads]))
})

test('describes a graph by its possible nodes', async () => {
  const { schemas } = document.components
  expect(schemas.Batch).toHaveProperty('properties.graph.properties.edges.items', {
    $ref: '#/components/schemas/Edge',
  })
  expect(schemas.Batch).toHaveProperty(
    'properties.graph.properties.nodes.additionalProperties.oneOf',
    expect.arrayContaining([{ $ref: '#/components/schemas/SaveImageInvocation' }]),
  )
  const referred = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  expect(
    [...new Set([...referred].map(([, name]) => name))].filter((name) => !schemas[name ?? '']),
  ).toEqual([])
})

test('declares what the router answers to an empty path parameter', async () => {
  for (const operation of operations.filter(({ params }) => params)) {
    const { status } = await api.send(operation.method, pathOf(operation))
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    const statuses = Object.keys(described?.responses ?? {})
    expect(statuses, operation.operationId).toEqual(
      expect.arrayContaining([String(status), '404', '405']),
    )
  }
})

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'describes the parameters, body, answers and errors of %s',
  (_id, operation) => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    const namesOf = (schema: unknown) => Object.keys(resolved(schema).properties ?? {})
    const parameters = (where: string) =>
      (described?.parameters ?? []).filter((one) => one.in === where).map(({ name }) => name)

    expect(parameters('path')).toEqual(namesOf(operation.params))
    expect(parameters('query')).toEqual(namesOf(operation.query))
    const body = operation.body ?? operation.parts
    const type = operation.parts ? 'multipart/form-data' : 'application/json'
    expect(namesOf(described?.requestBody?.content[type]?.schema)).toEqual(namesOf(body))

    const statuses = Object.keys(described?.responses ?? {}).map(Number)
    const refused = operation.refusals.map((code) => refusals[code].status)
    const answered = Object.keys(operation.answers).map(Number)
    expect(statuses).toEqual(expect.arrayContaining([...answered, ...refused, 403]))
    expect(statuses.includes(401)).toBe(operation.isPublic !== true)
    const hasNumber = JSON.stringify(operation.params ?? {}).includes('"integer"')
    expect(statuses.includes(422)).toBe(!!(operation.query || body || hasNumber))
    expect(statuses.includes(429)).toBe(operation.limit !== 'exempt')
    const media = operation.mediaType ?? 'application/json'
    for (const status of answered) {
      expect(Object.keys(described?.responses[status]?.content ?? {})).toEqual([media])
    }
  },
)

test.each(
  operations.filter(({ body }: Operation) => body).map((one) => [one.operationId, one] as const),
)(
  'marks the body of %s as required only if the server requires it',
  async (_id, operation: Operation) => {
    const params = Object.keys(operation.params?.properties ?? {}).map((name) => [name, 'none'])
    const answer = await api.send(operation.method, pathOf(operation, Object.fromEntries(params)))
    const isMissed = JSON.stringify(answer.body).includes('"loc":["body"]')

    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described?.requestBody?.required).toBe(isMissed)
  },
)
