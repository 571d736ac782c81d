import type { MetricSource } from '#server/http/metrics.ts'
import type { FileStore } from './open-file-store.ts'

interface Counted {
  uploads: { images: number; bytes: number }
  /** True while this process runs an item. */
  isRunning(): boolean
  /** Open event sockets by kind. */
  sockets(): Record<string, number>
  /** Connections to PostgreSQL by state; null with SQLite. */
  connections: (() => { used: number; idle: number; waiting: number }) | null
  store: FileStore['counts']
  /** null: this is the only process. */
  isRedisConnected: (() => boolean) | null
}

/** Describes the numbers of this process's parts for `/metrics`. */
export function metricSources(parts: Counted): MetricSource[] {
  const { uploads, connections, store, isRedisConnected } = parts
  const counter = (name: MetricSource['name'], help: string, read: MetricSource['read']) =>
    ({ name, help, kind: 'counter', read }) satisfies MetricSource
  const gauge = (name: MetricSource['name'], help: string, read: MetricSource['read']) =>
    ({ name, help, kind: 'gauge', read }) satisfies MetricSource
  return [
    counter('tessera_uploads_total', 'Uploaded images', () => uploads.images),
    counter('tessera_upload_bytes_total', 'Bytes of uploaded images', () => uploads.bytes),
    gauge('tessera_queue_items_running', 'Queue items that this process runs', () =>
      Number(parts.isRunning()),
    ),
    { ...gauge('tessera_event_sockets', 'Open event sockets', parts.sockets), label: 'kind' },
    ...(isRedisConnected === null
      ? []
      : [
          gauge('tessera_redis_connected', '0 while limits are local and events missing', () =>
            Number(isRedisConnected()),
          ),
        ]),
    ...(connections === null
      ? []
      : [
          {
            ...gauge('tessera_database_connections', 'Connections to PostgreSQL', connections),
            label: 'state',
          },
        ]),
    ...(store === undefined
      ? []
      : [
          {
            ...counter('tessera_s3_requests_total', 'Requests to S3', () => store.requests),
            label: 'operation',
          },
          {
            ...counter('tessera_s3_errors_total', 'Failed requests to S3', () => store.errors),
            label: 'operation',
          },
        ]),
  ]
}
