import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { refusals } from '#contract/refusal.ts'
import { NodeFault } from '#server/engine/node-fault.ts'

/** Values of `error_type` for models that cannot be loaded. */
export const LOAD_FAULT = 'ModelLoadError'
export const RUNTIME_MISSING = 'ModelRuntimeMissing'

/** The used part of ONNX Runtime, which is an optional package. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string, options: object): Promise<InferenceSession> }
  readonly Tensor: new (type: 'float32', data: Float32Array, sides: readonly number[]) => Tensor
}

let runtime: Promise<OnnxRuntime> | null = null

/**
 * Imports ONNX Runtime when the first model is needed.
 *
 * @throws {NodeFault} It is not installed, or it fails to start on this machine.
 */
export function onnxRuntime(): Promise<OnnxRuntime> {
  runtime ??= import('onnxruntime-node').catch((error: unknown) => {
    runtime = null
    throw faultOf(error)
  })
  return runtime
}

function faultOf(error: unknown): NodeFault {
  const { code, message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes("'onnxruntime-node'")
  const cause = { cause: error }
  if (isMissing) return new NodeFault(refusals.model_runtime_missing.detail, RUNTIME_MISSING, cause)
  return new NodeFault(`ONNX Runtime does not start on this machine: ${message}`, LOAD_FAULT, cause)
}
