import type { ModelRecord } from '#contract/models/model.ts'
import { Refusal } from '#server/core/refusal.ts'

/** A model and where it lies. */
export interface ModelFile {
  readonly record: ModelRecord
  /** Absolute. */
  readonly path: string
  /** What it takes in memory: its own bytes, and those of weights in files beside it. */
  readonly memoryBytes: number
  /** When it came and when it last changed, in milliseconds since 1970. */
  readonly createdMs: number
  readonly modifiedMs: number
}

/** The folder of the models, as it is now. It is watched: a file that comes, changes or goes shows by itself. */
export interface ModelFiles {
  /** In no order. Waits until the folder was read for the first time, hashes apart. */
  list(): Promise<readonly ModelFile[]>
  /** null: no such model. Waits as `list` does. */
  get(key: string): Promise<ModelFile | null>
  close(): Promise<void>
}

/** Holds models in memory, away from this process, within a budget: what was not used for longest leaves first. */
export interface ModelRunner {
  /** What models may take in memory, in bytes. */
  readonly budgetBytes: number
  /**
   * Loads a model, if it is not in memory. It must be one that `assertLoadable` lets pass.
   *
   * @throws {Refusal} `model_runtime_missing`, `model_load_failed`.
   */
  load(model: ModelFile): Promise<void>
  /** Takes every model out of memory that is not at work. */
  empty(): Promise<void>
}

/** What happens to models in memory. */
export type ModelNews =
  | { what: 'used'; key: string }
  | { what: 'loading'; key: string }
  | { what: 'loaded'; key: string; bytes: number }
  | { what: 'left'; keys: readonly string[] }
  /** The process that held them ended, and they with it. */
  | { what: 'lost' }

/** What the engine asks and tells of models while it runs graphs. */
export interface EngineModels {
  /** null: there is none of this key, nor of this name. */
  find(keyOrName: string): Promise<ModelFile | null>
  report(news: ModelNews): void
}

/** @throws {Refusal} `model_load_failed`: the file is broken. `model_format_not_supported`: it is no ONNX model. */
export function assertLoadable({ name, format, fault }: ModelRecord): void {
  if (format !== 'onnx') {
    throw new Refusal(
      'model_format_not_supported',
      `The model ${name} is of the format ${format}. This server loads ONNX models only; an InvokeAI server can load this one.`,
    )
  }
  if (fault) throw new Refusal('model_load_failed', `The model ${name} cannot be loaded. ${fault}`)
}
