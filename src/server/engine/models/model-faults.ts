/** The types of the faults of models, as items show them. */
export const UNKNOWN_MODEL = 'UnknownModelException'
export const LOAD_FAULT = 'ModelLoadError'
export const RUNTIME_MISSING = 'ModelRuntimeMissing'
