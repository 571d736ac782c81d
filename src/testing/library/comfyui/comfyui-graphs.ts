import type { ComfyuiExample } from './comfyui-example.ts'
import { coreExamples } from './core-graphs.ts'
import { samplerExamples } from './sampler-graphs.ts'
import { textExamples } from './text-graphs.ts'

export const comfyuiExamples: readonly ComfyuiExample[] = [
  ...coreExamples,
  ...samplerExamples,
  ...textExamples,
]
