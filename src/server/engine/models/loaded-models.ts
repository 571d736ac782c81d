import type { InferenceSession } from 'onnxruntime-node'
import type { ModelFile, ModelNews } from '#server/core/models/model-ports.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { LOAD_FAULT, onnxRuntime } from './onnx-runtime.ts'

interface LoadedModel {
  readonly session: InferenceSession
  readonly bytes: number
  /** Modification time of the file when it was loaded. */
  readonly modifiedMs: number
  /** Number of current users. */
  users: number
}

/** ONNX models in memory, within a budget. The least recently used one is evicted first. */
export class LoadedModels {
  readonly #budgetBytes: number
  readonly #report: (news: ModelNews) => void
  /** Keyed by model key, ordered by last use. */
  readonly #models = new Map<string, LoadedModel>()
  /** Models load and leave one at a time, so that each load sees the free memory that the previous one left. */
  #turns: Promise<unknown> = Promise.resolve()

  constructor(budgetBytes: number, report: (news: ModelNews) => void) {
    this.#budgetBytes = budgetBytes
    this.#report = report
  }

  /**
   * Calls `work` with a model, which is loaded if necessary and stays in memory until `work` ends.
   *
   * @throws {NodeFault} The model cannot be loaded.
   */
  async use<T>(file: ModelFile, work: (session: InferenceSession) => Promise<T>): Promise<T> {
    const model = await this.#inTurn(() => this.#take(file))
    try {
      return await work(model.session)
    } finally {
      model.users -= 1
      // The file changed while its model was in use, and a newer model has replaced it.
      const isReplaced = this.#models.get(file.record.key) !== model
      if (isReplaced && model.users === 0) await model.session.release()
    }
  }

  /** Evicts all models that are not in use. Waits for loads and earlier evictions, which it must not overlap. */
  async empty(): Promise<void> {
    await this.#inTurn(() => this.#remove([...this.#models].filter(([, { users }]) => users === 0)))
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work)
    this.#turns = done.catch(() => undefined)
    return done
  }

  async #take(file: ModelFile): Promise<LoadedModel> {
    const { key } = file.record
    const known = this.#models.get(key)
    const isCurrent = known?.modifiedMs === file.modifiedMs
    if (known && !isCurrent && known.users === 0) await this.#remove([[key, known]])
    const model = known && isCurrent ? known : await this.#load(file)
    if (model === known) this.#report({ what: 'used', key })
    this.#models.delete(key)
    this.#models.set(key, model)
    model.users += 1
    return model
  }

  async #load({ record, path, memoryBytes: bytes, modifiedMs }: ModelFile): Promise<LoadedModel> {
    const { key, name } = record
    const runtime = await onnxRuntime()
    await this.#makeRoom(name, bytes)
    this.#report({ what: 'loading', key })
    // Without the arena, the memory of a run is freed after it.
    const session = await runtime.InferenceSession.create(path, {
      enableCpuMemArena: false,
      logSeverityLevel: 4,
    }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new NodeFault(`The model ${name} cannot be loaded: ${reason}`, LOAD_FAULT, { cause })
    })
    this.#report({ what: 'loaded', key, bytes })
    return { session, bytes, modifiedMs, users: 0 }
  }

  async #makeRoom(name: string, bytes: number): Promise<void> {
    const evicted: [string, LoadedModel][] = []
    let free = this.#budgetBytes
    for (const { bytes: taken } of this.#models.values()) free -= taken
    for (const [key, model] of this.#models) {
      if (free >= bytes) break
      if (model.users > 0) continue
      evicted.push([key, model])
      free += model.bytes
    }
    if (free < bytes) throw tooLarge(name, bytes, this.#budgetBytes)
    await this.#remove(evicted)
  }

  async #remove(evicted: readonly (readonly [string, LoadedModel])[]): Promise<void> {
    if (evicted.length === 0) return
    for (const [key, { session }] of evicted) {
      this.#models.delete(key)
      await session.release()
    }
    this.#report({ what: 'left', keys: evicted.map(([key]) => key) })
  }
}

const tooLarge = (name: string, bytes: number, budgetBytes: number): NodeFault =>
  new NodeFault(
    `The model ${name} needs ${mib(bytes)} of memory, and models may take ${mib(budgetBytes)} in all (--model-memory).`,
    LOAD_FAULT,
  )

const mib = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`
