import type { ModelRecord } from '#contract/models/model.ts'
import { Refusal } from '#server/core/refusal.ts'

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
