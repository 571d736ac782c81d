import type { ModelRecord } from '#contract/models/model.ts'
import { Refusal } from '#server/core/refusal.ts'

export interface ModelFile {
  readonly record: ModelRecord
  /** Absolute. */
  readonly path: string
  /** Memory use: the size of the file and of external weight files next to it. */
  readonly memoryBytes: number
  /** Creation and modification dates in milliseconds since 1970. */
  readonly createdMs: number
  readonly modifiedMs: number
}

/** The models folder. It is watched, so that new, changed and deleted files appear without a restart. */
export interface ModelFiles {
  /** Lists models in no particular order. Waits for the first scan of the folder, but not for hashes. */
  list(): Promise<readonly ModelFile[]>
  /** Returns null if there is no such model. Waits as `list` does. */
  get(key: string): Promise<ModelFile | null>
  close(): Promise<void>
}

/** Holds models in the memory of another process, within a budget. Evicts the least recently used model first. */
export interface ModelRunner {
  /** Memory limit for models, in bytes. */
  readonly budgetBytes: number
  /** @throws {Refusal} `model_runtime_missing`, `model_load_failed`. `assertLoadable` must accept the model. */
  load(model: ModelFile): Promise<void>
  /** Evicts every model that is not in use. */
  empty(): Promise<void>
}

export type ModelNews =
  | { what: 'used'; key: string }
  | { what: 'loading'; key: string }
  | { what: 'loaded'; key: string; bytes: number }
  | { what: 'left'; keys: readonly string[] }
  /** The model process ended, so that no model is in memory. */
  | { what: 'lost' }

/** Model lookup and notifications for the engine while it runs graphs. */
export interface EngineModels {
  /** Finds a model by key or name; null if there is none. */
  find(keyOrName: string): Promise<ModelFile | null>
  report(news: ModelNews): void
}

/** @throws {Refusal} `model_load_failed`: the file is broken. `model_format_not_supported`: it is not an ONNX model. */
export function assertLoadable({ name, format, fault }: ModelRecord): void {
  if (format !== 'onnx') {
    throw new Refusal(
      'model_format_not_supported',
      `The model ${name} is of the format ${format}. This server loads ONNX models only; an InvokeAI server can load this one.`,
    )
  }
  if (fault) throw new Refusal('model_load_failed', `The model ${name} cannot be loaded. ${fault}`)
}
