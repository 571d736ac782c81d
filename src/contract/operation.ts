import type { Static, TObject, TSchema } from 'typebox'
import type { RefusalCode } from './refusal.ts'

/** An operation of the API, from which server routes, validation, `/openapi.json` and client calls derive. */
export interface Operation {
  /** Name in `/openapi.json`. */
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  /** With `{name}` for path parameters, and with InvokeAI's trailing slash. */
  readonly path: `/${string}`
  readonly summary: string
  readonly tag: string
  readonly params?: TObject
  readonly query?: TObject
  /** Headers of the request that are part of the operation. */
  readonly headers?: TObject
  /** Schema of the JSON body. */
  readonly body?: TSchema
  /** True disables coercion of body values. */
  readonly strictBody?: true
  /** Schema of a plain text body. */
  readonly text?: TSchema
  /** Media type of a body of bytes. */
  readonly bytes?: string
  /** Parts of a multipart body. A part of format `binary` is a file. */
  readonly parts?: TObject
  /** Successful responses by status. A `string` of format `binary` is a binary body. */
  readonly answers: Readonly<Record<number, TSchema>>
  /** Media type of a successful response that is not JSON. */
  readonly mediaType?: string
  readonly refusals: readonly RefusalCode[]
  /** True for another method than GET that only reads, so that a client may repeat it. */
  readonly isRead?: true
  /** True for a method that a read-only library permits although it is not GET, because no record changes. */
  readonly changesNoRecord?: true
  /** True if the operation needs no token and no known host name. Its answer contains nothing private. */
  readonly isPublic?: true
  /** `batch` counts against both rate limits; `poll` and `exempt` count against neither. */
  readonly limit?: 'batch' | 'poll' | 'exempt'
  /** True restricts the operation to clients on the server's machine, because it reads the server's disk. */
  readonly onThisMachine?: true
  /** True if InvokeAI has no such operation. */
  readonly extension?: true
  /** Query and body keys that InvokeAI does not have. */
  readonly extensionFields?: readonly string[]
}

/** Types of an operation's schemas. Absent parts are `undefined`. */
export interface OperationTypes<Params, Query, Body, Answer> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
}

/**
 * An operation that carries its types in a type-only key. The types are computed where the operation is
 * defined, because `Static` of a type parameter would make TypeScript expand all of TypeBox's conditional types
 * at every use.
 */
export interface TypedOperation extends Operation {
  readonly '~types'?: OperationTypes<unknown, unknown, unknown, unknown>
}

type StaticOf<T> = T extends TSchema ? Static<T> : undefined

type Own = 'operationId' | 'summary' | 'answers'

/** Common properties of a group of operations. */
type Group = Pick<Operation, 'tag'> & Partial<Omit<Operation, Own | 'method' | 'path'>>

/** An operation without its method and path. Absent properties are those of its group. */
type Details = Pick<Operation, Own> & Partial<Group>

/** An operation with the types of its schemas. */
type Defined<T extends Details> = Operation &
  T & {
    readonly '~types'?: OperationTypes<
      StaticOf<T['params']>,
      StaticOf<T['query']>,
      StaticOf<T['body']>,
      StaticOf<T['answers'][keyof T['answers']]>
    >
  }

/**
 * Returns a function that defines the operations of a group.
 *
 * @example
 * const define = operationsOf({ tag: 'boards' })
 * export const getBoard = define('GET', '/api/v1/boards/{board_id}', { operationId: 'get_board', ... })
 */
export const operationsOf =
  <const G extends Group>(group: G) =>
  <const T extends Details>(
    method: Operation['method'],
    path: Operation['path'],
    details: T,
  ): Defined<Omit<G, keyof T> & T> => ({ refusals: [], ...group, ...details, method, path })

type TypesOf<T extends TypedOperation> = NonNullable<T['~types']>

/** Path parameters of an operation. */
export type ParamsOf<T extends TypedOperation> = TypesOf<T>['params']
/** Query of an operation after coercion. */
export type QueryOf<T extends TypedOperation> = TypesOf<T>['query']
/** JSON body of an operation. */
export type BodyOf<T extends TypedOperation> = TypesOf<T>['body']
/** Body of a successful response. */
export type AnswerOf<T extends TypedOperation> = TypesOf<T>['answer']

/** Returns the path of an operation with its path parameters filled in and escaped. */
export const pathOf = (
  operation: Pick<Operation, 'path'>,
  params: Record<string, string | number> = {},
): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
