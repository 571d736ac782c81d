import type { EventBus } from '#server/core/events/event-bus.ts'
import type { ModelRunner } from '#server/core/models/model-ports.ts'
import type { EngineChange, GraphEngine } from './engine-ports.ts'

interface EngineControls {
  cache: GraphEngine['cache']
  models: ModelRunner
}

/** Makes controls of an engine that also control the engines of the other processes. */
export const shareControls = (
  { cache, models }: EngineControls,
  bus: EventBus,
  onFailure: (error: unknown) => void,
): EngineControls => {
  const apply = async (change: EngineChange): Promise<void> => {
    if (change === 'clear_cache') cache.clear()
    else if (change === 'empty_models') await models.empty()
    else cache.setEnabled(change === 'enable_cache')
  }
  bus.listen((message) => {
    if (message.kind === 'engine_changed') apply(message.change).catch(onFailure)
  })
  const change = (change: EngineChange): Promise<void> => {
    bus.publish({ kind: 'engine_changed', change })
    return apply(change) // The bus may be away.
  }
  return {
    cache: {
      status: () => cache.status(),
      clear: () => void change('clear_cache'),
      setEnabled: (isEnabled) => void change(isEnabled ? 'enable_cache' : 'disable_cache'),
    },
    models: {
      budgetBytes: models.budgetBytes,
      load: (model) => models.load(model),
      empty: () => change('empty_models'),
    },
  }
}
