import { LoadedModels } from '#server/engine/models/loaded-models.ts'
import { NodeModels } from '#server/engine/models/node-models.ts'
import { engineFaultOf } from '#server/engine/node-fault.ts'
import { setUpSharp } from '#server/processes/set-up-sharp.ts'
import { watchThisProcess } from '#server/processes/watch.ts'
import { LibraryQuestions } from './library-questions.ts'
import type { ChildOptions, ToChild, ToServer } from './messages.ts'
import { runNode } from './run-node.ts'

/** The entry of the process that runs nodes. The server starts it and ends it. */

setUpSharp()
const { options, started } = watchThisProcess<ChildOptions>()
const send = (message: ToServer) => process.send?.(message)

const library = new LibraryQuestions((question, ask) => send({ kind: 'question', question, ask }))
const loaded = new LoadedModels(options.modelMemoryBytes, (news) => send({ kind: 'model', news }))
const models = new NodeModels(library, loaded)
const running = new Map<number, AbortController>()

const start = async ({ run, node }: Extract<ToChild, { kind: 'run' }>) => {
  const aborting = new AbortController()
  running.set(run, aborting)
  try {
    // A node can block this thread before the watcher runs. Then nothing would end the process.
    await started
    const result = await runNode(node, {
      ...options,
      library,
      models,
      signal: aborting.signal,
      onProgress: (progress) => send({ kind: 'progress', run, progress }),
    })
    send({ kind: 'done', run, result })
  } catch (error) {
    send({ kind: 'failed', run, fault: engineFaultOf(error) })
  } finally {
    running.delete(run)
  }
}

const answerCall = async ({ call, ask }: Extract<ToChild, { kind: 'call' }>) => {
  try {
    if (ask.method === 'empty') await loaded.empty()
    else await loaded.use(ask.model, async () => undefined)
    send({ kind: 'called', call, fault: null })
  } catch (error) {
    send({ kind: 'called', call, fault: engineFaultOf(error) })
  }
}

process.on('message', (message: ToChild) => {
  if (message.kind === 'run') void start(message)
  else if (message.kind === 'call') void answerCall(message)
  else if (message.kind === 'abort') running.get(message.run)?.abort()
  else library.answer(message)
})
