import { SYSTEM_USER_ID } from '#contract/events.ts'
import type { ModelCacheStats } from '#contract/models/model.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import type { EngineModels, ModelFile, ModelFiles, ModelNews } from './model-ports.ts'
import { sortModels } from './sort-models.ts'

/** Finds models for the engine and tracks which models are in memory. */
export class ModelMemory implements EngineModels {
  readonly #files: ModelFiles
  readonly #events: EventSink
  readonly #sizes = new Map<string, number>()
  #hits = 0
  #misses = 0
  #cleared = 0
  #highWatermark = 0

  constructor(parts: { files: ModelFiles; events: EventSink }) {
    this.#files = parts.files
    this.#events = parts.events
  }

  async find(keyOrName: string): Promise<ModelFile | null> {
    const ofKey = await this.#files.get(keyOrName)
    if (ofKey !== null) return ofKey
    const ofName = (await this.#files.list()).filter(({ record }) => record.name === keyOrName)
    // Several formats of a model may share a name; prefer ONNX, the only format that can run.
    const [first = null] = sortModels(ofName, 'path', 'ASC').toSorted(onnxFirst)
    return first
  }

  report(news: ModelNews): void {
    if (news.what === 'used') this.#hits += 1
    else if (news.what === 'loading') this.#misses += 1
    else if (news.what === 'loaded') this.#sizes.set(news.key, news.bytes)
    else if (news.what === 'lost') this.#sizes.clear()
    else this.#clear(news.keys)
    this.#highWatermark = Math.max(this.#highWatermark, sum(this.#sizes.values()))
    if (news.what === 'loading') void this.#emit('model_load_started', news.key)
    if (news.what === 'loaded') void this.#emit('model_load_complete', news.key)
  }

  /** @param budgetBytes - Memory limit for models. */
  stats(budgetBytes: number): ModelCacheStats {
    return {
      hits: this.#hits,
      misses: this.#misses,
      high_watermark: this.#highWatermark,
      in_cache: this.#sizes.size,
      cleared: this.#cleared,
      cache_size: budgetBytes,
      loaded_model_sizes: Object.fromEntries(this.#sizes),
    }
  }

  #clear(keys: readonly string[]): void {
    for (const key of keys) this.#sizes.delete(key)
    this.#cleared += keys.length
  }

  async #emit(event: 'model_load_started' | 'model_load_complete', key: string): Promise<void> {
    const model = await this.#files.get(key)
    if (model === null) return // the file was deleted meanwhile
    this.#events.emit(event, { config: model.record, submodel_type: null, user_id: SYSTEM_USER_ID })
  }
}

const onnxFirst = (a: ModelFile, b: ModelFile): number =>
  Number(b.record.format === 'onnx') - Number(a.record.format === 'onnx')

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const number of numbers) total += number
  return total
}
