import type { Engine, EngineOptions } from '#server/engine/open-engine.ts'
import type { AppOptions } from '#server/http/guarded-app.ts'

/** Options of a server. Only the data folder has no default. */
export interface ServerOptions extends Partial<AppOptions> {
  /** Folder of records and images, created if it does not exist. Only one server may use it at a time. */
  dataFolder: string
  /** Store of originals and thumbnails: `s3://bucket/prefix?endpoint=…&region=…`. Default: null, the data folder. */
  files?: string | null
  /** Sends browsers to the store for images, if they can reach it. Default: false. */
  filesRedirect?: boolean
  /** Default: `publishedLimits`. */
  rateLimit?: AppOptions['rateLimit']
  maxUploadBytes?: number
  /** Default: `maxUploadBytes`, or 2 GiB without it. */
  maxVideoBytes?: number
  maxPixels?: number
  /** PostgreSQL database of the records, as a URL. Default: null, SQLite in the data folder. */
  databaseUrl?: string | null
  /** Redis that connects the processes of a library, as a URL. Default: null, this is the only process. */
  redisUrl?: string | null
  /** Models folder (`.onnx`, `.safetensors`, `.gguf`). Default: null, no models. */
  modelsFolder?: string | null
  /** Memory limit for models. Default: a quarter of the machine's memory. */
  modelMemoryBytes?: number | null
  /** Maximum size of all playable copies of videos; 0: none are made. Default: 5 GiB. */
  playableCacheBytes?: number
  /** Days between automatic backups of the database. Default: null, no backups. */
  backupEveryDays?: number | null
  /** Refuses every change and writes nothing to the library. Default: false. */
  readOnly?: boolean
  /** Runs the items of the queue. Default: true. */
  runsQueue?: boolean
  /** Opens the engine that runs them. Default: the engine with the nodes of this server. */
  openEngine?: (options: EngineOptions) => Promise<Engine>
}
