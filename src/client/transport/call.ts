import type { BodyOf, ParamsOf, QueryOf, TypedOperation } from '#contract/operation.ts'
import type { CallPriority } from './pacer.ts'

/** Options that every call accepts in addition to its own. */
export interface CallOptions {
  /** Aborts the call. Its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Priority for rate limits. `background` leaves some requests for user actions; `preview` also leaves some
   * batch operations. The default is `foreground`.
   */
  readonly priority?: CallPriority | undefined
  /**
   * Milliseconds until a request without a complete response fails with a `ConnectionError`. The wait for rate
   * limits does not count. The default is the client's `timeoutMs`.
   */
  readonly timeoutMs?: number | undefined
}

/** Upload progress in bytes. */
export interface UploadProgress {
  readonly sentBytes: number
  readonly totalBytes: number
}

/** Allows undefined for absent keys, so that callers can pass on optional arguments. */
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
  ? { readonly parts: FormData }
  : { readonly parts?: undefined }

type HeadersInput<T extends TypedOperation> = T extends { headers: object }
  ? { readonly headers: Readonly<Record<string, string>> }
  : { readonly headers?: undefined }

type BytesInput<T extends TypedOperation> = T extends { bytes: string }
  ? { readonly bytes?: Blob | undefined }
  : { readonly bytes?: undefined }

type ProgressInput<T extends TypedOperation> = T extends { parts: object } | { bytes: string }
  ? { readonly onProgress?: ((progress: UploadProgress) => void) | undefined }
  : { readonly onProgress?: undefined }

/** Input of an operation: path parameters, query, headers, and a body of JSON, parts or bytes. */
export type CallInput<T extends TypedOperation> = ParamsInput<T> &
  QueryInput<T> &
  BodyInput<T> &
  PartsInput<T> &
  HeadersInput<T> &
  BytesInput<T> &
  ProgressInput<T> &
  CallOptions

/** `[input]` if the operation requires input, else `[input?]`. */
export type CallArguments<T extends TypedOperation> =
  Record<string, never> extends CallInput<T> ? [input?: CallInput<T>] : [input: CallInput<T>]

/** Untyped input of any operation, for the transport. */
export interface AnyCallInput extends CallOptions {
  readonly params?: Record<string, string | number> | undefined
  readonly query?: Record<string, unknown> | undefined
  readonly body?: unknown
  readonly parts?: FormData | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly bytes?: Blob | undefined
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}
