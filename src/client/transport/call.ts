import type { BodyOf, ParamsOf, QueryOf, TypedOperation } from '#contract/operation.ts'
import type { RequestPriority } from './pacer.ts'

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Gives the call up; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** `background` lets what a person waits for go first, `trial` leaves some batch operations too. The default is `foreground`. */
  readonly priority?: RequestPriority | undefined
}

/** How far the bytes of a request are gone, in bytes. */
export interface UploadProgress {
  readonly sentBytes: number
  readonly totalBytes: number
}

/** Undefined stands for an absent key, so that optional arguments can be passed on as they are. */
type OrUndefined<T> = { [Key in keyof T]: T[Key] | undefined }

type ParamsInput<T extends TypedOperation> = T extends { params: object }
  ? { readonly params: ParamsOf<T> }
  : { readonly params?: undefined }

type QueryInput<T extends TypedOperation> = T extends { query: object }
  ? Record<string, never> extends QueryOf<T>
    ? { readonly query?: OrUndefined<QueryOf<T>> | undefined }
    : { readonly query: OrUndefined<QueryOf<T>> }
  : { readonly query?: undefined }

type BodyInput<T extends TypedOperation> = T extends { body: object }
  ? { readonly body: BodyOf<T> }
  : { readonly body?: undefined }

type PartsInput<T extends TypedOperation> = T extends { parts: object }
  ? {
      readonly parts: FormData
      readonly onProgress?: ((progress: UploadProgress) => void) | undefined
    }
  : { readonly parts?: undefined; readonly onProgress?: undefined }

/** What an operation's call takes: its path parameters, query, body or multipart body. */
export type CallInput<T extends TypedOperation> = ParamsInput<T> &
  QueryInput<T> &
  BodyInput<T> &
  PartsInput<T> &
  CallOptions

/** `[input]` where an operation needs any input, `[input?]` where it needs none. */
export type CallArguments<T extends TypedOperation> =
  Record<string, never> extends CallInput<T> ? [input?: CallInput<T>] : [input: CallInput<T>]

/** The same for every operation, as the transport sees it. */
export interface AnyCallInput extends CallOptions {
  readonly params?: Record<string, string | number> | undefined
  readonly query?: Record<string, unknown> | undefined
  readonly body?: unknown
  readonly parts?: FormData | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}
