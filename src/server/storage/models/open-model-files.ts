import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelFiles } from '#server/core/models/model-ports.ts'
import { ModelCache } from './model-cache.ts'
import { ModelFolder } from './model-folder.ts'

export interface ModelFilesOptions {
  /** null: there are no models. */
  modelsFolder: string | null
  /** The folder of the cache file. */
  dataFolder: string
  onFailure(error: unknown): void
  /** How long the size of a new file must be stable before it is read, in milliseconds. */
  settleMs?: number
}

const SETTLE_MS = 2_000

/** Opens the folder of the models. Its files are read in the background. */
export async function openModelFiles(options: ModelFilesOptions): Promise<ModelFiles> {
  const { modelsFolder, dataFolder, onFailure, settleMs = SETTLE_MS } = options
  if (modelsFolder === null) return noModels
  const folder = await realpath(modelsFolder)
  const cache = await ModelCache.open(join(dataFolder, 'models.json'))
  return new ModelFolder({ folder, cache, onFailure, settleMs })
}

const noModels: ModelFiles = {
  list: async () => [],
  get: async () => null,
  close: async () => undefined,
}
