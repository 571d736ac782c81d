import type { Static, TObject, TSchema } from 'typebox'
import type { RefusalCode } from './refusal.ts'

/**
 * One operation as it travels. The server makes its route, its validation and its part of
 * `/openapi.json` from it; the client makes its call and its types from it.
 */
export interface Operation {
  /** The name in `/openapi.json`. */
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` where a path parameter stands, and the trailing slash that the wire gives it. */
  readonly path: `/${string}`
  readonly summary: string
  readonly tag: string
  readonly params?: TObject
  readonly query?: TObject
  /** A JSON body. */
  readonly body?: TSchema
  /** True where nothing in the body is coerced (wire 0, body coercion). */
  readonly strictBody?: true
  /** A body of plain text. */
  readonly text?: TSchema
  /** A multipart body: its parts. A part of format `binary` is a file. */
  readonly parts?: TObject
  /** What is answered when it succeeds, by status. A `string` of format `binary` is bytes. */
  readonly answers: Readonly<Record<number, TSchema>>
  /** The media type of a success that is not JSON. */
  readonly mediaType?: string
  readonly refusals: readonly RefusalCode[]
  /** `batch` counts in both limits of spec 8; `poll` and `exempt` count in neither (wire 11, row 19). */
  readonly limit?: 'batch' | 'poll' | 'exempt'
  /** True where only callers on the server's own machine are let in, since its disk is looked at. */
  readonly onThisMachine?: true
  /** True where InvokeAI has no such operation. */
  readonly extension?: true
  /** Query keys and body keys that InvokeAI does not know. */
  readonly extensionFields?: readonly string[]
}

/** The types of one operation's schemas. Absent parts are `undefined`. */
export interface OperationTypes<Params, Query, Body, Answer> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly answer: Answer
}

/**
 * An operation that carries its types in a key without a value. They are computed where the operation is defined:
 * `Static` of a type parameter would make TypeScript expand all of TypeBox's conditional types at every use.
 */
export interface TypedOperation extends Operation {
  readonly '~types'?: OperationTypes<unknown, unknown, unknown, unknown>
}

type StaticOf<T> = T extends TSchema ? Static<T> : undefined

/** Returns the operation unchanged, with the types of its schemas. */
export const defineOperation = <const T extends Operation>(
  operation: T,
): T & {
  readonly '~types'?: OperationTypes<
    StaticOf<T['params']>,
    StaticOf<T['query']>,
    StaticOf<T['body']>,
    StaticOf<T['answers'][keyof T['answers']]>
  >
} => operation

type TypesOf<T extends TypedOperation> = NonNullable<T['~types']>

/** The path parameters of an operation. */
export type ParamsOf<T extends TypedOperation> = TypesOf<T>['params']
/** The query of an operation, after coercion. */
export type QueryOf<T extends TypedOperation> = TypesOf<T>['query']
/** The JSON body of an operation. */
export type BodyOf<T extends TypedOperation> = TypesOf<T>['body']
/** The body of a successful answer. */
export type AnswerOf<T extends TypedOperation> = TypesOf<T>['answer']

/** The address of an operation on a server, its path parameters filled in and escaped. */
export const pathOf = (
  operation: Pick<Operation, 'path'>,
  params: Record<string, string | number> = {},
): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
