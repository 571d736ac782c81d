import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_JSON_BYTES, MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { type Operation, pathOf } from '#contract/operation.ts'
import type { ValidationBody } from '#contract/refusal-bodies.ts'
import { operations } from './all-operations.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let before: string | null
beforeAll(async () => {
  api = await openApi()
  await api.makeBoard('Untouched')
  before = await revision()
})
afterAll(() => api.close())

/** The ETag of a list covers all records. It stays the same as long as no record changes. */
const revision = async () => (await api.send('GET', '/api/v1/boards/?all=1')).headers.get('etag')

interface Field {
  type?: string
  enum?: unknown[]
  anyOf?: Field[]
  items?: Field
  minimum?: number
  maximum?: number
  maxLength?: number
}
type Wrong = [value: unknown, type: string, index?: number]

const fieldsOf = (schema: unknown): [string, Field][] =>
  Object.entries((schema as { properties?: Record<string, Field> } | undefined)?.properties ?? {})

const requiredOf = (schema: unknown): string[] =>
  (schema as { required?: string[] } | undefined)?.required ?? []

/** Invalid query texts for a field. */
function wrongTexts(field: Field): Wrong[] {
  const wrong: Wrong[] = []
  if (field.type === 'boolean') wrong.push(['maybe', 'bool_parsing'], ['', 'bool_parsing'])
  if (field.type === 'integer')
    wrong.push(['x', 'int_parsing'], ['1.5', 'int_parsing'], ['', 'int_parsing'])
  if (field.minimum !== undefined) wrong.push([String(field.minimum - 1), 'greater_than_equal'])
  if (field.maximum !== undefined) wrong.push([String(field.maximum + 1), 'less_than_equal'])
  if (field.enum) wrong.push([field.type === 'integer' ? '7' : 'NOPE', 'enum'])
  if (field.items?.enum) wrong.push(['NOPE,user', 'enum', 0])
  if (field.type === 'string') wrong.push(['a\0b', 'value_error'])
  if (field.maxLength) wrong.push(['x'.repeat(field.maxLength + 1), 'string_too_long'])
  return wrong
}

/** Returns a list with an invalid item. */
function wrongItem(type: string | undefined): Wrong {
  if (type === 'integer') return [[5, 'x'], 'int_parsing', 1]
  if (type === 'object') return [['x'], 'model_attributes_type', 0]
  return [['x', 5], 'string_type', 1]
}

/** Invalid JSON values for a field. */
function wrongValues(field: Field, isStrict: boolean): Wrong[] {
  const inner = field.anyOf?.find(({ type }) => type !== 'null')
  if (inner) return wrongValues(inner, isStrict)
  const wrong: Wrong[] = []
  if (field.type === 'boolean') {
    wrong.push([{}, 'bool_type'], isStrict ? ['yes', 'bool_type'] : ['maybe', 'bool_parsing'])
  }
  if (field.type === 'integer') wrong.push([1.5, 'int_from_float'], [[], 'int_type'])
  if (field.type === 'string')
    wrong.push([5, 'string_type'], [{}, 'string_type'], ['\0', 'value_error'])
  if (field.type === 'array') {
    wrong.push(['x', 'list_type'], [{ 0: 'x' }, 'list_type'])
    wrong.push(wrongItem(field.items?.type))
  }
  if (field.enum) wrong.push(['NOPE', 'enum'], [5, 'enum'])
  if (field.maxLength) wrong.push(['x'.repeat(field.maxLength + 1), 'string_too_long'])
  return wrong
}

const params = {
  board_id: 'none',
  image_name: 'x.png',
  video_name: 'x.mp4',
  archive_id: 'x',
  bulk_download_item_name: 'x',
  queue_id: 'default',
  import_id: 'x',
  workflow_id: 'x',
  search_id: 'x',
}

const locsIn = (body: unknown) =>
  (body as ValidationBody).detail.map(({ type, loc }) => [type, ...loc])

const largeBody = `{"a": "${'x'.repeat(MAX_JSON_BYTES)}"}`

const withQuery = operations.filter(({ query }) => query)
const withBody = operations.filter(({ body }) => body)

test.each(withQuery.map((operation) => [operation.operationId, operation] as const))(
  'rejects invalid query values of %s',
  async (_id, operation) => {
    for (const [key, field] of fieldsOf(operation.query)) {
      for (const [text, type, ...index] of wrongTexts(field)) {
        const query = new URLSearchParams({ [key]: String(text) })
        const answer = await api.send(operation.method, `${pathOf(operation, params)}?${query}`)
        expect(answer.status, `${key}=${text}`).toBe(422)
        expect(locsIn(answer.body)).toContainEqual([type, 'query', key, ...index])
      }
    }
    const required = requiredOf(operation.query)
    if (required.length > 0) {
      const { status, body } = await api.send(operation.method, pathOf(operation, params))
      expect(status).toBe(422)
      expect(locsIn(body)).toEqual(required.map((key) => ['missing', 'query', key]))
    }
    expect(await revision()).toBe(before)
  },
)

const sendBody = (operation: Operation, json: unknown) =>
  api.send(operation.method, pathOf(operation, params), { json })

test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
  'rejects invalid body values of %s',
  async (_id, operation) => {
    for (const [key, field] of fieldsOf(operation.body)) {
      for (const [value, type, ...index] of wrongValues(field, operation.strictBody ?? false)) {
        const { status, body } = await sendBody(operation, { [key]: value })
        expect(status, `${key}: ${JSON.stringify(value)}`).toBe(422)
        expect(locsIn(body)).toContainEqual([type, 'body', key, ...index])
      }
    }
    const required = requiredOf(operation.body)
    if (required.length > 0) {
      const { status, body } = await sendBody(operation, {})
      expect([status, locsIn(body)]).toEqual([422, required.map((key) => ['missing', 'body', key])])
    }
    const isList = (operation.body as Field).type === 'array'
    for (const json of [5, 'text', isList ? {} : ['list']]) {
      expect(locsIn((await sendBody(operation, json)).body)).toEqual([
        [isList ? 'list_type' : 'model_attributes_type', 'body'],
      ])
    }
    expect(await revision()).toBe(before)
  },
)

test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
  'rejects broken JSON and oversized bodies for %s',
  async (_id, operation) => {
    const path = pathOf(operation, params)
    const headers = { 'content-type': 'application/json' }
    const broken = await api.send(operation.method, path, { headers, body: '{"a": [1, }' })
    expect(broken).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid', loc: ['body', 10], msg: 'JSON decode error' }] },
    })
    const large = await api.send(operation.method, path, { headers, body: largeBody })
    expect(large).toMatchObject({ status: 413, body: { detail: 'The request body is too large.' } })
    expect(await revision()).toBe(before)
  },
)

test.each([undefined, 'text/plain', 'nonsense', 'application/jsonp'])(
  'treats a body of type %s as missing',
  async (type) => {
    const answer = await api.send('POST', '/api/v1/images/star', {
      headers: type === undefined ? {} : { 'content-type': type },
      body: new TextEncoder().encode('{"image_names": []}'),
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
    })
  },
)

test('rejects more names than the limit', async () => {
  const json = { image_names: Array(MAX_NAMES_PER_REQUEST + 1).fill('x') }

  for (const path of ['images/delete', 'images/star', 'images/images_by_names', 'trash/images']) {
    expect(await api.send('POST', `/api/v1/${path}`, { json })).toMatchObject({
      status: 413,
      body: { detail: 'At most 50,000 names fit in one request.' },
    })
  }
})

test('rejects unknown keys only in board changes', async () => {
  const board = await sendBody(operationOf('update_board'), { nonsense: 1 })
  expect(locsIn(board.body)).toEqual([['extra_forbidden', 'body', 'nonsense']])

  const names = await sendBody(operationOf('star_images_in_list'), { image_names: [], nonsense: 1 })
  expect(names.status).toBe(200)
})

const operationOf = (id: string): Operation => {
  const operation = operations.find(({ operationId }) => operationId === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}

test('accepts an empty body with the content type JSON', async () => {
  const headers = { 'content-type': 'application/json' }

  expect((await api.send('GET', '/api/v1/boards/?all=1', { headers })).status).toBe(200)
  expect((await api.send('DELETE', '/api/v1/images/uncategorized', { headers })).status).toBe(200)
  const created = await api.send('POST', '/api/v1/boards/?board_name=x', { headers })
  expect(created.status).toBe(201)
})
